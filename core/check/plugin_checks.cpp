// SPDX-License-Identifier: Apache-2.0
#include "poslab/check/plugin_checks.hpp"

#include <filesystem>
#include <system_error>

#include "poslab/check/check.hpp"
#include "poslab/host/library.hpp"

namespace poslab::check {
namespace {

constexpr double seconds_each = 120;  // patient, since other work may run beside

// Those beside the program were checked by its own tests.
bool ships_with_poslab(const data::SchemeInfo& scheme) {
  std::error_code problem;
  const auto beside = host::Library::search_path({}).back().path;
  return std::filesystem::equivalent(std::filesystem::path(scheme.file).parent_path(), beside, problem);
}

}  // namespace

PluginChecks check_plugins(const FindingStore& store, const std::vector<data::SchemeInfo>& schemes,
                           const std::function<void(const std::string&, const std::string&)>& told) {
  PluginChecks checks;
  for (const data::SchemeInfo& scheme : schemes) {
    const auto findings =
        perform_checks({"check", scheme.file, "--perform"}, {{}, seconds_each}, [](const Finding&) {});
    const FailedChecks failed = failed_checks(findings);
    store.keep(scheme.code_hash(), failed);  // where it cannot be kept, it will be said to be unknown
    checks[scheme.id] = failed.text();
    told(scheme.id, failed.text());
  }
  return checks;
}

PluginChecks known_checks(const FindingStore& store, const std::vector<data::SchemeInfo>& schemes) {
  PluginChecks checks;
  for (const data::SchemeInfo& scheme : schemes) {
    const auto failed = store.find(scheme.code_hash());
    checks[scheme.id] = failed ? failed->text() : ships_with_poslab(scheme) ? "ships with poslab" : never_checked;
  }
  return checks;
}

std::vector<std::string> unchecked(const PluginChecks& checks) {
  std::vector<std::string> schemes;
  for (const auto& [scheme, failed] : checks)
    if (failed == never_checked) schemes.push_back(scheme);
  return schemes;
}

}  // namespace poslab::check
