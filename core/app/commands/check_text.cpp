// SPDX-License-Identifier: Apache-2.0
#include "commands/check.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"

namespace poslab::app {
namespace {

const char* mark(check::CheckResult result) {
  switch (result) {
    case check::CheckResult::passed: return "ok";
    case check::CheckResult::failed: return "FAIL";
    case check::CheckResult::not_performed: return "-";
  }
  return "?";
}

// Those that were not performed because of the gate before them, in one line.
std::string resting_text(const std::vector<check::Finding>& findings) {
  std::size_t count = 0;
  std::string gate;
  for (const check::Finding& finding : findings)
    if (!finding.rests_on.empty()) ++count, gate = finding.rests_on;
  if (count == 0) return "";
  return fmt::format("  {:<5} {:<15} {} on {}, which failed\n", mark(check::CheckResult::not_performed),
                     fmt::format("{} more check{}", count, count == 1 ? "" : "s"), count == 1 ? "rests" : "rest", gate);
}

}  // namespace

std::string finding_text(const check::Finding& finding) {
  if (!finding.rests_on.empty()) return "";
  std::string text =
      fmt::format("  {:<5} {:<15} {}\n", mark(finding.result), finding.check, base::printable(finding.sentence));
  for (const std::string& warning : finding.warnings)
    text += fmt::format("  {:<5} {:<15} {}\n", "warn", finding.check, base::printable(warning));
  return text;
}

std::string findings_text(const std::vector<check::Finding>& findings) {
  std::size_t counts[3] = {}, warnings = 0;
  double seconds = 0;
  for (const check::Finding& finding : findings) {
    ++counts[static_cast<std::size_t>(finding.result)];
    warnings += finding.warnings.size();
    seconds += finding.seconds;
  }
  const std::string unclaimed = check::unclaimed_text(findings);
  return resting_text(findings) + (unclaimed.empty() ? "" : fmt::format("  {}\n", unclaimed)) +
         fmt::format("  {} passed, {} failed, {} not performed{}, in {}\n", counts[0], counts[1], counts[2],
                     warnings == 0 ? "" : fmt::format(", {} warning{}", warnings, warnings == 1 ? "" : "s"),
                     base::human_seconds(seconds));
}

base::Json findings_json(const std::string& file, const std::vector<check::Finding>& findings) {
  base::Json checks = base::Json::array();
  for (const check::Finding& finding : findings) {
    base::Json entry{{"check", finding.check},
                     {"result", check::to_text(finding.result)},
                     {"sentence", finding.sentence},
                     {"seconds", finding.seconds},
                     {"warnings", finding.warnings}};
    if (finding.unclaimed)
      entry["unclaimed"] = {{"claim", finding.unclaimed->claim}, {"attacks", finding.unclaimed->attacks}};
    checks.push_back(std::move(entry));
  }
  return {{"plugin", file}, {"checks", checks}};
}

std::string checks_text(const std::vector<check::CheckInfo>& checks) {
  std::string text;
  for (const check::CheckInfo& info : checks) text += fmt::format("  {:<15} {}\n", info.name, info.sentence);
  return text;
}

std::string checks_json(const std::vector<check::CheckInfo>& checks) {
  base::Json list = base::Json::array();
  for (const check::CheckInfo& info : checks) list.push_back({{"check", info.name}, {"sentence", info.sentence}});
  return base::json_text(list, 1) + "\n";
}

}  // namespace poslab::app
