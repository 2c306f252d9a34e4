// SPDX-License-Identifier: Apache-2.0
// What `poslab check` prints.
#include "commands/check.hpp"

#include <nlohmann/json.hpp>

#include "catch.hpp"

namespace app = poslab::app;
using poslab::check::CheckResult;
using poslab::check::Finding;

namespace {

app::Document with_finding(const Finding& finding) {
  app::Document document("x.so");
  app::add_finding(document, finding);
  return document;
}

// Below the title.
std::string text_of(const app::Document& document) { return document.text().substr(5); }

std::string totals_text(const std::vector<Finding>& findings) {
  app::Document document("x.so");
  app::add_totals(document, findings);
  return text_of(document);
}

}  // namespace

TEST_CASE("check: a line for a finding, and one for each warning") {
  CHECK(text_of(with_finding({"far", CheckResult::passed, "stood"})) == "  ok    far             stood\n");
  CHECK(text_of(with_finding({"relative", CheckResult::failed, "refuted: \x1b[2J", 1, {"a weight is dead"}})) ==
        "  FAIL  relative        refuted: \\u001B[2J\n  warn  relative        a weight is dead\n");
}

TEST_CASE("check: all findings are counted") {
  const Finding warned{"gradients", CheckResult::passed, "", 1, {"one", "two"}};
  const Finding unclaimed{
      "relative", CheckResult::not_performed, "", 0.5, {}, poslab::check::Unclaimed{"relative", 108}};
  const Finding failed{"far", CheckResult::failed, "", 0.5};
  CHECK(totals_text({warned, unclaimed, failed}) ==
        "  not claimed, but stood 108 attacks: relative\n"
        "  1 passed, 1 failed, 1 not performed, 2 warnings, in 2.0 s\n");
  CHECK(totals_text({failed}) == "  0 passed, 1 failed, 0 not performed, in 0.5 s\n");
}

TEST_CASE("check: what rests on a gate that failed is one line") {
  const Finding gate{"table", CheckResult::failed, "it has no name"};
  Finding first{"creates", CheckResult::not_performed, "rests on table, which failed"}, second = first;
  first.rests_on = second.rests_on = "table";
  CHECK(text_of(with_finding(first)).empty());
  CHECK(totals_text({gate, first, second}) ==
        "  -     2 more checks   rest on table, which failed\n  0 passed, 1 failed, 2 not performed, in 0.0 s\n");
  CHECK(totals_text({gate, first}).starts_with("  -     1 more check    rests on table, which failed\n"));
}

TEST_CASE("check: findings as JSON have their facts apart") {
  const Finding finding{
      "relative", CheckResult::not_performed, "none claims it", 0.5, {}, poslab::check::Unclaimed{"relative", 3}};
  const poslab::base::Json json = with_finding(finding).json()["checks"][0];
  CHECK(json["result"] == "not performed");
  CHECK(json["unclaimed"] == poslab::base::Json{{"claim", "relative"}, {"attacks", 3}});
}

TEST_CASE("check: the numbers of the last line are keys, too") {
  app::Document document;
  Finding rests{"creates", CheckResult::not_performed, "rests on table, which failed"};
  rests.rests_on = "table";
  app::add_totals(document, {{"table", CheckResult::failed, "it has no name", 0.5, {"odd"}}, rests});
  CHECK(document.json() == poslab::base::Json{{"resting", {{"checks", 1}, {"on", "table"}}},
                                              {"passed", 0},
                                              {"failed", 1},
                                              {"not_performed", 1},
                                              {"warnings", 1},
                                              {"seconds", 0.5}});
}
