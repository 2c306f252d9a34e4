// SPDX-License-Identifier: Apache-2.0
// What a child's lines come to, and what is said of claims that nobody makes.
#include "child_report.hpp"

#include "catch.hpp"
#include "failure.hpp"
#include "gradients/gradients.hpp"

namespace checks = poslab::check;
using checks::CheckResult;
using checks::Finding;

TEST_CASE("a child's lines are read as it wrote them") {
  const checks::ChildReport report = checks::read_child_report(
      "at creating\nvariant base=2, D=8 H=2\nat base=2, D=8 H=2: bias\noutside wrote index 3 of `output`\n"
      "warning: first\nwarning: second\nif stopped: too slow\n" +
      checks::unclaimed_line({"constant norm", 108}) + "\n" +
      checks::result_line(CheckResult::not_performed, "two\nlines") + "\n");
  CHECK(report.where == "base=2, D=8 H=2: bias");
  CHECK(report.variant == "base=2, D=8 H=2");
  CHECK(report.outside == "wrote index 3 of `output`");
  CHECK(report.warnings == std::vector<std::string>{"first", "second"});
  CHECK(report.if_stopped == "too slow");
  REQUIRE(report.unclaimed);
  CHECK(report.unclaimed->claim == "constant norm");
  CHECK(report.unclaimed->attacks == 108);
  CHECK(report.result == CheckResult::not_performed);
  CHECK(report.sentence == "two lines");
}

TEST_CASE("a child that ended early has no result, and between variants it calls none") {
  const checks::ChildReport report = checks::read_child_report("variant a\nvariant \nat b\n");
  CHECK_FALSE(report.result);
  CHECK(report.variant.empty());
  CHECK(report.where == "b");
  CHECK_THROWS_AS(checks::read_child_report("wrong request: no such parameter\n"), checks::WrongRequest);
}

TEST_CASE("claims that nobody makes are named in one line, with the number of attacks") {
  Finding relative, symmetric, bounded;
  CHECK(checks::unclaimed_text({relative, symmetric}).empty());
  relative.unclaimed = {"relative", 108};
  symmetric.unclaimed = {"symmetric", 108};
  CHECK(checks::unclaimed_text({relative, bounded, symmetric}) ==
        "not claimed, but stood 108 attacks: relative, symmetric");
  bounded.unclaimed = {"bounded", 16};
  CHECK(checks::unclaimed_text({relative, bounded}) ==
        "not claimed, but stood every attack (how many): relative (108), bounded (16)");
}

TEST_CASE("a failure keeps its variant and its reason apart") {
  const checks::Failed failure("wrong", "base=2");
  CHECK(failure.reason == "wrong");
  CHECK(failure.variant == "base=2");
  CHECK(std::string(failure.what()) == "base=2: wrong");
}

TEST_CASE("a weight whose gradient is always 0 is named, unless it is frozen") {
  std::vector<poslab::host::WeightInfo> weights(3);
  weights[0].name = "dead", weights[1].name = "alive", weights[2].name = "frozen", weights[2].frozen = true;
  const checks::Tensor zero({2}), one({2}, 1.0);
  checks::ZeroGradients gradients;
  CHECK(gradients.warnings("toy").empty());
  gradients.note(weights, {zero, zero, zero});
  gradients.note(weights, {zero, one, zero});
  gradients.note(weights, {zero, zero, zero});
  const std::vector<std::string> warnings = gradients.warnings("toy");
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].rfind("weight \"dead\" of toy: its gradient is 0 in all 3 gradient calls", 0) == 0);
}
