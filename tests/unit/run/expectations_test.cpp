// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/expectations.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/outcome.hpp"

#include <cmath>
#include <limits>

#include "catch.hpp"

using namespace poslab;
using data::Verdict;

namespace {

data::Cell cell_of(const std::string& scheme, std::int64_t length) {
  data::Cell cell;
  cell.experiment = "uniqueness";
  cell.variant = {scheme, scheme, {}, {}};
  cell.axes = {{"length", length}};
  return cell;
}

data::Outcome outcome_of(double scalar, std::vector<double> curve) {
  data::Outcome outcome;
  outcome.record.scalar("min_distance", scalar);
  outcome.record.coordinate("position", {0, 1, 2});
  outcome.record.curve("nearest_distance", {"position"}, std::move(curve));
  return outcome;
}

struct Case {
  std::vector<data::Cell> cells{cell_of("rope", 8), cell_of("rope", 16), cell_of("alibi", 8)};
  std::vector<data::Outcome> outcomes{outcome_of(1, {1, 2, 3}), outcome_of(1.5, {4, 5, 6}), outcome_of(2, {7, 8, 9})};
  data::ExpectationResult judge(data::Expectation expectation) const {
    return run::judge({expectation}, cells, [this](std::size_t i) { return outcomes[i]; }).front();
  }
};

}  // namespace

TEST_CASE("an expectation holds within its absolute tolerance") {
  const Case c;
  CHECK(c.judge({"uniqueness", "min_distance", {{"scheme", std::string("alibi")}}, 2.1, 0.11, "", 0}).verdict ==
        Verdict::holds);
  const auto result = c.judge({"uniqueness", "min_distance", {{"scheme", std::string("alibi")}}, 2.1, 0.09, "", 0});
  CHECK(result.verdict == Verdict::fails);
  CHECK(result.measured == 2);
  CHECK_THAT(result.message, check::contains("measured 2, expected 2.1 within 0.09"));
}

TEST_CASE("where several cells match, all must hold and the furthest is named") {
  const Case c;
  const auto result = c.judge({"uniqueness", "min_distance", {{"scheme", std::string("rope")}}, 1, 0.4, "", 0});
  CHECK(result.matches == 2);
  CHECK(result.verdict == Verdict::fails);
  CHECK(result.measured == 1.5);
}

TEST_CASE("a curve on a grid is narrowed by row and column") {
  Case c;
  for (data::Outcome& outcome : c.outcomes) {
    outcome.record.position_coordinate("position", "row", {0, 0, 1});
    outcome.record.position_coordinate("position", "column", {0, 1, 0});
  }
  const auto judged = [&](data::Values where, double value) {
    where.set("scheme", std::string("alibi"));
    return c.judge({"uniqueness", "nearest_distance", where, value, 0, "", 0}).verdict;
  };
  CHECK(judged({{"position_row", 0.0}, {"position_column", 1.0}}, 8) == Verdict::holds);
  CHECK(judged({{"position_row", 1.0}}, 9) == Verdict::holds);
  CHECK(judged({{"position_row", 0.0}}, 7) == Verdict::fails);
  CHECK(judged({{"position_row", 2.0}}, 7) == Verdict::not_measured);
}

TEST_CASE("a curve is narrowed by the coordinates in where, or must hold everywhere") {
  const Case c;
  const data::Values alibi{{"scheme", std::string("alibi")}};
  data::Values at_one = alibi;
  at_one.set("position", std::int64_t{1});
  CHECK(c.judge({"uniqueness", "nearest_distance", at_one, 8, 0, "", 0}).verdict == Verdict::holds);
  CHECK(c.judge({"uniqueness", "nearest_distance", alibi, 8, 1, "", 0}).verdict == Verdict::holds);
  CHECK(c.judge({"uniqueness", "nearest_distance", alibi, 8, 0.5, "", 0}).verdict == Verdict::fails);
}

TEST_CASE("a NaN never holds, wherever in the curve it stands") {
  for (const std::vector<double>& curve : {std::vector<double>{NAN, 1, 1}, {1, NAN, 1}, {1, 1, NAN}}) {
    Case c;
    c.outcomes[2] = outcome_of(2, curve);
    const auto result = c.judge({"uniqueness", "nearest_distance", {{"scheme", std::string("alibi")}}, 1, 5, "", 0});
    CHECK(result.verdict == Verdict::fails);
    CHECK(std::isnan(result.measured));
  }
}

TEST_CASE("what did not run, failed, or has no such value is not measured") {
  Case c;
  c.outcomes[2].status = data::Status::skipped;
  c.outcomes[2].message = "table too short";
  const auto skipped = c.judge({"uniqueness", "min_distance", {{"scheme", std::string("alibi")}}, 2, 1, "", 0});
  CHECK(skipped.verdict == Verdict::not_measured);
  CHECK(skipped.message == "table too short");
  CHECK(c.judge({"uniqueness", "mirror_distance", {{"scheme", std::string("rope")}}, 2, 1, "", 0}).verdict ==
        Verdict::not_measured);
  const auto interrupted =
      run::judge({{"uniqueness", "min_distance", {}, 1, 1, "", 0}}, c.cells, [](std::size_t) { return std::nullopt; });
  CHECK(interrupted.front().verdict == Verdict::not_measured);
}
