// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/plugin_check.hpp"

#include <nlohmann/json.hpp>

#include "poslab/base/json.hpp"
#include "poslab/base/text.hpp"

namespace poslab::data {
namespace {

using base::Json;
using Result = PluginCheck::Result;

const char* word_of(Result result) {
  switch (result) {
    case Result::passed: return "passed";
    case Result::ships: return "ships with poslab";
    case Result::never: return "never checked in this build";
    case Result::failed: return "failed";
  }
  return "failed";
}

std::optional<PluginCheck> check_of(const Json& entry) {
  if (!entry.is_object() || !entry.contains("result") || !entry["result"].is_string()) return std::nullopt;
  if (!entry.contains("failed") || !entry["failed"].is_array()) return std::nullopt;
  for (const Result result : {Result::passed, Result::ships, Result::never, Result::failed}) {
    if (entry["result"].get<std::string>() != word_of(result)) continue;
    PluginCheck check{result};
    for (const Json& name : entry["failed"])
      if (name.is_string()) check.failed.push_back(name.get<std::string>());
    return check;
  }
  return std::nullopt;
}

}  // namespace

std::string PluginCheck::text() const {
  return failed.empty() ? word_of(result) : std::string(word_of(result)) + ": " + base::enumerate(failed);
}

void add(PluginChecks& checks, const PluginChecks& more) {
  for (const auto& [scheme, check] : more) {
    const auto [known, is_new] = checks.emplace(scheme, check);
    if (!is_new && known->second.result < check.result) known->second = check;
  }
}

std::optional<std::string> doubt_of(const std::string& scheme, const PluginChecks& checks) {
  const auto check = checks.find(scheme);
  if (check == checks.end() || !check->second.is_in_doubt()) return std::nullopt;
  return "poslab check of " + scheme + ": " + check->second.text();
}

std::string to_json(const PluginChecks& checks) {
  Json all = Json::object();
  for (const auto& [scheme, check] : checks)
    all[scheme] = {{"result", word_of(check.result)}, {"failed", check.failed}};
  return base::json_text(all);
}

PluginChecks plugin_checks_of(std::string_view json) {
  PluginChecks checks;
  const Json all = Json::parse(json, nullptr, false);
  if (!all.is_object()) return checks;
  for (const auto& [scheme, entry] : all.items())
    if (const auto check = check_of(entry)) checks.emplace(scheme, *check);
  return checks;
}

}  // namespace poslab::data
