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
  data::ExpectationResult judge(const data::Expectation& expectation) const {
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
  CHECK_THAT(result.message, check::contains("measured 2, expected 2.1 ± 0.09"));
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

TEST_CASE("a bound holds on its side, and the value nearest to the other side is named") {
  const Case c;
  data::Expectation bound{"uniqueness", "min_distance", {{"scheme", std::string("rope")}}, 1, 0, "", 0};
  bound.gate = data::Gate::at_least;
  CHECK(c.judge(bound).verdict == Verdict::holds);
  CHECK(c.judge(bound).measured == 1);
  bound.value = 1.2;
  CHECK_THAT(c.judge(bound).message, check::contains("measured 1, expected at least 1.2"));
  bound.gate = data::Gate::at_most, bound.value = 1.5;
  CHECK(c.judge(bound).verdict == Verdict::holds);
  CHECK(c.judge(bound).measured == 1.5);
  bound.value = 1.4;
  CHECK_THAT(c.judge(bound).message, check::contains("measured 1.5, expected at most 1.4"));
  Case broken;
  broken.outcomes[0] = outcome_of(NAN, {1, 2, 3});
  CHECK(broken.judge(bound).verdict == Verdict::fails);
  bound.gate = data::Gate::at_least;
  CHECK(broken.judge(bound).verdict == Verdict::fails);
}

namespace {

// Two schemes at one length, three repeats each.
struct Repeated {
  std::vector<data::Cell> cells;
  std::vector<double> values{1, 2, 6, 0.5, 1, 3};
  Repeated() {
    for (const char* scheme : {"rope", "none"})
      for (int repeat = 0; repeat < 3; ++repeat) {
        cells.push_back(cell_of(scheme, 8));
        cells.back().repeat = repeat;
        cells.back().variant.parameters = {{"of", std::string(scheme)}};
      }
  }
  data::ExpectationResult judge(const data::Expectation& expectation) const {
    return run::judge({expectation}, cells,
                      [&](std::size_t i) {
                        return outcome_of(values[i], {values[i], 0, 1});
                      })
        .front();
  }
};

}  // namespace

TEST_CASE("the mean of repeats is judged, with its error") {
  const Repeated c;
  data::Expectation mean{"uniqueness", "min_distance", {{"scheme", std::string("rope")}}, 3, 1e-12, "", 0};
  CHECK(c.judge(mean).verdict == Verdict::fails);
  mean.repeats = data::OverRepeats::mean;
  const auto result = c.judge(mean);
  CHECK(result.verdict == Verdict::holds);
  CHECK(result.measured == 3);
  CHECK(result.error == Approx(std::sqrt(7.0 / 3)));  // 1, 2, 6: variance 7, of three
  CHECK(result.matches == 3);
  Repeated broken;
  broken.values[1] = NAN;
  CHECK(std::isnan(broken.judge(mean).measured));
  CHECK(broken.judge(mean).verdict == Verdict::fails);
  // Every point of a curve has a mean of its own.
  data::Expectation curve{"uniqueness", "nearest_distance", {{"scheme", std::string("rope")}}, 1, 1, "", 0};
  curve.repeats = data::OverRepeats::mean;
  CHECK(c.judge(curve).measured == 3);
}

TEST_CASE("a difference is between cells that agree in all else") {
  Repeated c;
  data::Expectation less{"uniqueness", "min_distance", {{"scheme", std::string("rope")}}, 0.5, 0, "", 0};
  less.minus = {{"scheme", std::string("none")}};
  less.gate = data::Gate::at_least;
  const auto each = c.judge(less);
  CHECK(each.verdict == Verdict::holds);
  CHECK(each.measured == 0.5);
  CHECK(each.matches == 6);
  less.repeats = data::OverRepeats::mean;
  CHECK(c.judge(less).measured == 1.5);
  // Within one cell: a point of its curve less another.
  data::Expectation points{
      "uniqueness", "nearest_distance", {{"scheme", std::string("rope")}, {"position", 0.0}}, 0, 0, "", 0};
  points.minus = {{"scheme", std::string("rope")}, {"position", 2.0}};
  points.gate = data::Gate::at_most;
  CHECK(c.judge(points).measured == 5);
  // Without a partner there is no difference.
  c.cells.back().axes = {{"length", std::int64_t{16}}};
  const auto alone = c.judge(less);
  CHECK(alone.verdict == Verdict::not_measured);
  CHECK_THAT(alone.message, check::contains("no cell of \"minus\" has the same other values"));
}
