// SPDX-License-Identifier: Apache-2.0
// What `poslab check` prints.
#include "commands/check.hpp"

#include <nlohmann/json.hpp>

#include "catch.hpp"

namespace app = poslab::app;
using poslab::check::CheckResult;
using poslab::check::Finding;

TEST_CASE("check: a line for a finding, and one for each warning") {
  CHECK(app::finding_text({"far", CheckResult::passed, "stood"}) == "  ok    far             stood\n");
  CHECK(app::finding_text({"relative", CheckResult::failed, "refuted: \x1b[2J", 1, {"a weight is dead"}}) ==
        "  FAIL  relative        refuted: \\u001B[2J\n  warn  relative        a weight is dead\n");
}

TEST_CASE("check: all findings are counted") {
  const Finding warned{"gradients", CheckResult::passed, "", 1, {"one", "two"}};
  const Finding unclaimed{
      "relative", CheckResult::not_performed, "", 0.5, {}, poslab::check::Unclaimed{"relative", 108}};
  const Finding failed{"far", CheckResult::failed, "", 0.5};
  CHECK(app::findings_text({warned, unclaimed, failed}) ==
        "  not claimed, but stood 108 attacks: relative\n"
        "  1 passed, 1 failed, 1 not performed, 2 warnings, in 2.0 s\n");
  CHECK(app::findings_text({failed}) == "  0 passed, 1 failed, 0 not performed, in 0.5 s\n");
}

TEST_CASE("check: what rests on a gate that failed is one line") {
  const Finding gate{"table", CheckResult::failed, "it has no name"};
  Finding first{"creates", CheckResult::not_performed, "rests on table, which failed"}, second = first;
  first.rests_on = second.rests_on = "table";
  CHECK(app::finding_text(first).empty());
  CHECK(app::findings_text({gate, first, second}) ==
        "  -     2 more checks   rest on table, which failed\n  0 passed, 1 failed, 2 not performed, in 0.0 s\n");
  CHECK(app::findings_text({gate, first}).starts_with("  -     1 more check    rests on table, which failed\n"));
}

TEST_CASE("check: findings as JSON have their facts apart") {
  const poslab::base::Json all = app::findings_json(
      "x.so",
      {{"relative", CheckResult::not_performed, "none claims it", 0.5, {}, poslab::check::Unclaimed{"relative", 3}}});
  CHECK(all["plugin"] == "x.so");
  CHECK(all["checks"][0]["result"] == "not performed");
  CHECK(all["checks"][0]["unclaimed"] == poslab::base::Json{{"claim", "relative"}, {"attacks", 3}});
}
