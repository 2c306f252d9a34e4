// SPDX-License-Identifier: Apache-2.0
#include "poslab/check/plugin_checks.hpp"

#include <filesystem>
#include <system_error>

#include "poslab/check/check.hpp"
#include "poslab/host/library.hpp"
#include "poslab/host/python.hpp"

namespace poslab::check {
namespace {

using Result = data::PluginCheck::Result;

data::PluginCheck check_of(const std::vector<std::string>& failed) {
  return {failed.empty() ? Result::passed : Result::failed, failed};
}

constexpr double seconds_each = 120;  // patient, since other work may run beside

// Those beside the program were checked by its own tests.
bool ships_with_poslab(const data::SchemeInfo& scheme) {
  std::error_code problem;
  const auto beside = host::Library::search_path({}).back().path;
  return std::filesystem::equivalent(std::filesystem::path(scheme.file).parent_path(), beside, problem);
}

}  // namespace

data::PluginChecks check_plugins(const FindingStore& store, const std::vector<data::SchemeInfo>& schemes,
                                 const std::function<void(const std::string&, const std::string&)>& told) {
  data::PluginChecks checks;
  for (const data::SchemeInfo& scheme : schemes) {
    const auto findings = perform_checks({"check", scheme.file, "--perform"},
                                         {{}, seconds_each, host::is_python(scheme.file)}, [](const Finding&) {});
    const std::vector<std::string> failed = failed_checks(findings);
    store.keep(scheme.code_hash(), failed);  // where it cannot be kept, it will be said to be unknown
    checks[scheme.id] = check_of(failed);
    told(scheme.id, checks[scheme.id].text());
  }
  return checks;
}

data::PluginChecks known_checks(const FindingStore& store, const std::vector<data::SchemeInfo>& schemes) {
  data::PluginChecks checks;
  for (const data::SchemeInfo& scheme : schemes) {
    const auto failed = store.find(scheme.code_hash());
    checks[scheme.id] = failed                      ? check_of(*failed)
                        : ships_with_poslab(scheme) ? data::PluginCheck{Result::ships}
                                                    : data::PluginCheck{Result::never};
  }
  return checks;
}

std::vector<std::string> unchecked(const data::PluginChecks& checks) {
  std::vector<std::string> schemes;
  for (const auto& [scheme, check] : checks)
    if (check.result == Result::never) schemes.push_back(scheme);
  return schemes;
}

}  // namespace poslab::check
