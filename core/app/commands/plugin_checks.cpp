// SPDX-License-Identifier: Apache-2.0
#include "commands/plugin_checks.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "poslab/base/text.hpp"
#include "poslab/check/verdict_store.hpp"
#include "poslab/host/library.hpp"
#include "poslab/run/version.hpp"

namespace poslab::app {
namespace {

constexpr double check_seconds = 120;  // each; patient, since other work may run beside
constexpr const char* never = "never checked in this build";

check::VerdictStore store() { return check::VerdictStore::of_user(run::version() + " " + run::git_commit()); }

// Those beside the program were checked by its own tests.
bool ships_with_poslab(const data::SchemeInfo& scheme) {
  std::error_code problem;
  const auto beside = host::Library::search_path({}).back().path;
  return std::filesystem::equivalent(std::filesystem::path(scheme.file).parent_path(), beside, problem);
}

}  // namespace

std::vector<data::SchemeInfo> schemes_of(const std::vector<run::PreparedRun>& runs) {
  std::map<std::string, data::SchemeInfo> schemes;
  for (const run::PreparedRun& run : runs)
    for (const data::Cell& cell : run.part.plan.cells)
      if (const data::SchemeInfo* scheme = run.catalogue.scheme(cell.variant.scheme))
        schemes.try_emplace(scheme->id, *scheme);
  std::vector<data::SchemeInfo> all;
  for (auto& [id, scheme] : schemes) all.push_back(std::move(scheme));
  return all;
}

void keep_check(const data::SchemeInfo& scheme, const check::PluginVerdict& verdict) {
  store().keep(scheme.code_hash(), verdict);  // where it cannot be kept, it will be said to be unknown
}

PluginChecks check_plugins(const std::vector<data::SchemeInfo>& schemes,
                           const std::function<void(const std::string&, const std::string&)>& told) {
  PluginChecks checks;
  for (const data::SchemeInfo& scheme : schemes) {
    const auto findings =
        check::judge({"check", scheme.file, "--perform"}, {{}, check_seconds}, [](const check::Finding&) {});
    const check::PluginVerdict verdict = check::verdict_of(findings);
    keep_check(scheme, verdict);
    checks[scheme.id] = verdict.text();
    told(scheme.id, verdict.text());
  }
  return checks;
}

PluginChecks known_checks(const std::vector<data::SchemeInfo>& schemes) {
  PluginChecks checks;
  for (const data::SchemeInfo& scheme : schemes) {
    const auto verdict = store().find(scheme.code_hash());
    checks[scheme.id] = verdict ? verdict->text() : ships_with_poslab(scheme) ? "ships with poslab" : never;
  }
  return checks;
}

std::string unchecked_text(const PluginChecks& checks) {
  std::vector<std::string> ids;
  for (const auto& [id, verdict] : checks)
    if (verdict == never) ids.push_back(id);
  if (ids.empty()) return "";
  return fmt::format("poslab: {}: {}; --check-plugins, or poslab check, tries to refute what a plugin promises\n",
                     never, base::enumerate(ids));
}

}  // namespace poslab::app
