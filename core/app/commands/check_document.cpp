// SPDX-License-Identifier: Apache-2.0
#include "commands/check.hpp"

#include <fmt/format.h>

#include "poslab/base/count.hpp"
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

std::string line_of(const char* mark, const std::string& what, const std::string& sentence) {
  return fmt::format("{:<5} {:<15} {}", mark, what, base::printable(sentence));
}

// Those that were not performed because of the gate before them, in one line.
void add_resting(Document& document, const std::vector<check::Finding>& findings) {
  std::size_t count = 0;
  std::string gate;
  for (const check::Finding& finding : findings)
    if (!finding.rests_on.empty()) ++count, gate = finding.rests_on;
  if (count == 0) return;
  document.add("resting", {{"checks", count}, {"on", gate}},
               {line_of(mark(check::CheckResult::not_performed), base::counted(count, "more check"),
                        fmt::format("{} on {}, which failed", count == 1 ? "rests" : "rest", gate))});
}

}  // namespace

void add_finding(Document& document, const check::Finding& finding) {
  base::Json json{{"check", finding.check},
                  {"result", check::to_text(finding.result)},
                  {"sentence", finding.sentence},
                  {"seconds", finding.seconds},
                  {"warnings", finding.warnings}};
  if (finding.unclaimed)
    json["unclaimed"] = {{"claim", finding.unclaimed->claim}, {"attacks", finding.unclaimed->attacks}};
  if (!finding.rests_on.empty()) {
    json["rests_on"] = finding.rests_on;
    return document.append("checks", json);
  }
  document.append("checks", json, {line_of(mark(finding.result), finding.check, finding.sentence)});
  for (const std::string& warning : finding.warnings) document.say({line_of("warn", finding.check, warning)});
}

void add_totals(Document& document, const std::vector<check::Finding>& findings) {
  std::size_t counts[3] = {}, warnings = 0;
  double seconds = 0;
  for (const check::Finding& finding : findings) {
    ++counts[static_cast<std::size_t>(finding.result)];
    warnings += finding.warnings.size();
    seconds += finding.seconds;
  }
  add_resting(document, findings);
  if (const std::string unclaimed = check::unclaimed_text(findings); !unclaimed.empty()) document.say({unclaimed});
  document.add("passed", counts[0]);
  document.add("failed", counts[1]);
  document.add("not_performed", counts[2]);
  document.add("warnings", warnings);
  document.add(
      "seconds", seconds,
      {fmt::format("{} passed, {} failed, {} not performed{}, in {}", counts[0], counts[1], counts[2],
                   warnings == 0 ? "" : ", " + base::counted(warnings, "warning"), base::human_seconds(seconds))});
}

Document checks_document(const std::vector<check::CheckInfo>& checks) {
  Document document;
  document.add("", base::Json::array());
  for (const check::CheckInfo& info : checks)
    document.append("", {{"check", info.name}, {"sentence", info.sentence}},
                    {fmt::format("  {:<15} {}", info.name, info.sentence)});
  return document;
}

}  // namespace poslab::app
