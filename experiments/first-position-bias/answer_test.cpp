// SPDX-License-Identifier: Apache-2.0
// What first-position-bias answers, of records made by hand.
#include <cmath>
#include <limits>

#include "answers.hpp"
#include "catch.hpp"
#include "cells.hpp"

using namespace poslab;
using data::Mark;
using data::Value;

namespace {

// One record for each log excess at depth 3; at depth 1 something else.
data::Answer first_answer(const std::vector<double>& excess, const std::vector<double>& decay = {0.01, -0.01},
                          double gain = 1, bool residual = true, bool untrained = false, double apart = 0) {
  const experiments::Experiment& experiment = experiments::find_experiment("first-position-bias");
  data::Values axes = cells::all_axes({"first-position-bias", "none", {{"query_gain", Value(gain)}}});
  axes.set("residual", Value(residual));
  std::vector<data::Record> records(excess.size());
  experiments::Point point{experiment.info, axes, {}, untrained};
  for (std::size_t i = 0; i < excess.size(); ++i) {
    records[i].coordinate("depth", {1, 3});
    records[i].curve("context_share_log_excess", {"depth"}, {7, residual ? 8 : excess[i]});
    records[i].curve("residual_context_share_log_excess", {"depth"}, {7, residual ? excess[i] : 8});
    records[i].coordinate("head", {0, 1});
    std::vector<double> of_heads = decay;  // repeats are so far apart
    for (double& of_head : of_heads) of_head += static_cast<double>(i) * apart;
    records[i].curve("decay", {"head"}, of_heads);
    point.repeats.push_back(&records[i]);
  }
  return experiment.answer(point);
}

}  // namespace

TEST_CASE("first-position-bias answers with the factor of the scheme and its error") {
  const data::Answer more = first_answer({0.1, 0.2, 0.15, 0.12, 0.18}), less = first_answer({-0.1, -0.2, -0.15});
  CHECK(more.mark == Mark::yes);
  REQUIRE(more.numbers.size() == 1);
  // exp(0.15 ± 2.776 * 0.0412 / sqrt(5)): the interval of the test, which lies in the logarithm.
  const double error = std::sqrt((0.0025 * 2 + 0.0009 * 2) / 4 / 5);
  CHECK_THAT(more.numbers[0].value, check::WithinAbs(std::exp(0.15), 1e-12));
  CHECK_THAT(more.numbers[0].low, check::WithinAbs(std::exp(0.15 - 2.776 * error), 1e-12));
  CHECK_THAT(more.numbers[0].high, check::WithinAbs(std::exp(0.15 + 2.776 * error), 1e-12));
  CHECK(more.numbers[0].before == "x");
  CHECK_THAT(more.sentence, check::contains("(3 layers of 64 positions with residual paths, 5 repeats"));
  CHECK_THAT(more.sentence, check::contains("float64"));
  CHECK(less.mark == Mark::no);
  CHECK(less.numbers[0].high < 1);
}

TEST_CASE("first-position-bias: what may be chance cannot be told from 1") {
  const data::Answer answer = first_answer({0.1, -0.05, 0.02, 0.03, -0.04});
  CHECK(answer.mark == Mark::cannot_tell);
  REQUIRE(answer.numbers.size() == 1);
  CHECK(answer.numbers[0].low < 1);
  CHECK(answer.numbers[0].high > 1);
  CHECK_THAT(answer.sentence, check::contains("5 repeats cannot tell from 1"));
  CHECK(first_answer({0.1, 0.02, 0.03}).mark == Mark::cannot_tell);  // 2 errors of three repeats: one case in six
  CHECK(first_answer({0.1}).mark == Mark::cannot_tell);
  CHECK_THAT(first_answer({0.1}).sentence, check::contains("one repeat has no error"));
}

TEST_CASE("first-position-bias: what nothing random enters is exact") {
  CHECK(first_answer({0, 0, 0}).mark == Mark::none);
  CHECK(numbers_text(first_answer({0, 0, 0})) == "x 1");
  CHECK(first_answer({-0.5}, {0.1, 0.1}, 0).mark == Mark::no);
  CHECK(numbers_text(first_answer({-0.5}, {0.1, 0.1}, 0)) == "x 0.607");
  CHECK(numbers_text(first_answer({0.4}, {0.1, 0.1}, 0, false)) == "x 1.49");  // by the other rollout
  // One draw of weights that are not trained is drawn all the same.
  CHECK(first_answer({-0.5}, {0.1, 0.1}, 0, true, true).mark == Mark::cannot_tell);
}

TEST_CASE("first-position-bias: a factor beyond 1000, or below 1/1000 without a decay, is told as a power") {
  const data::Answer large = first_answer({500, 574});
  REQUIRE(large.numbers.size() == 1);
  CHECK(large.numbers[0].value == 537);
  CHECK(large.numbers[0].error == 37);
  CHECK(large.numbers[0].before == "ln");
  CHECK_THAT(large.sentence, check::contains("by e to the power of 54"));
  CHECK(numbers_text(first_answer({-12.1, -11.9, -12}, {-0.1, 0.1})) == "ln -12.00 ± 0.06");
  CHECK(numbers_text(first_answer({12.25}, {0.1, 0.1}, 0)) == "ln 12.2");
  CHECK(numbers_text(first_answer({6.8, 6.8})) == "x 898");
}

TEST_CASE("first-position-bias: where next to nothing is left, the decay says why") {
  const data::Answer fox = first_answer({-165, -166}, {0.69, 0.76});
  CHECK(fox.mark == Mark::no);
  CHECK(numbers_text(fox) == "-0.69 nat/pos");
  for (const bool untrained : {false, true}) {
    CHECK(first_answer({-165}, {0.69, 0.76}, 1, true, untrained).mark == Mark::cannot_tell);
    CHECK(first_answer({-165}, {0.69, 0.76}, 0, true, untrained).mark == (untrained ? Mark::cannot_tell : Mark::no));
  }
  CHECK(first_answer({-7, -165}, {0.69, 0.76}).mark == Mark::cannot_tell);  // two repeats, far apart
  const data::Answer drawn = first_answer({-165, -166}, {0.69, 0.76}, 1, true, true, 0.02);
  CHECK(numbers_text(drawn) == "-0.700 ± 0.010 nat/pos");
  CHECK_THAT(drawn.sentence, check::contains("0.700 ± 0.010 to 0.770 ± 0.010 nat a position, by head"));
  CHECK_THAT(fox.sentence, check::contains("e^-166 of its share"));
  CHECK_THAT(fox.sentence, check::contains("0.69 to 0.76 nat a position, by head"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(first_answer({nan, nan}).mark == Mark::cannot_tell);
}

TEST_CASE("first-position-bias: a share that float64 cannot hold vanishes, and no answer says infinity") {
  const double nothing = -std::numeric_limits<double>::infinity();
  const auto says = [](const data::Answer& answer, const char* words) {
    CHECK_THAT(answer.sentence, check::contains(words));
    CHECK(answer.sentence.find("inf") == std::string::npos);
    CHECK(answer.sentence.find("nan") == std::string::npos);
  };
  const data::Answer steep = first_answer({nothing, nothing}, {3, 3});
  CHECK(steep.mark == Mark::no);
  CHECK(numbers_text(steep) == "-3 nat/pos");
  says(steep, "position 0's share vanishes: less than e^-700 of that without positions (3 layers");
  says(steep, "logits fall with distance by 3 nat a position in every head");
  const data::Answer steeper = first_answer({nothing, nothing}, {4.5e12, 5e14});  // ALiBi at positions of 1e15
  CHECK(numbers_text(steeper) == "ln < -700");
  says(steeper, "4.5e+12 to 5e+14 nat a position, by head");
  const data::Answer some = first_answer({nothing, -600}, {3, 3});
  CHECK(some.mark == Mark::no);
  says(some, "vanishes in 1 of 2 repeats: less than e^-700");
  // Without a decay in every head, repeats have to agree.
  CHECK(first_answer({nothing, nothing}).mark == Mark::no);
  CHECK(numbers_text(first_answer({nothing, nothing})) == "ln < -700");
  CHECK(first_answer({nothing, 0.1}).mark == Mark::cannot_tell);
  CHECK(first_answer({nothing}).mark == Mark::cannot_tell);
  CHECK(first_answer({nothing}, {3, 3}).mark == Mark::cannot_tell);
  CHECK(first_answer({nothing}, {3, 3}, 0).mark == Mark::no);
  CHECK(first_answer({nothing}, {3, 3}, 0, true, true).mark == Mark::cannot_tell);
  says(first_answer({nothing, 0.1}), "vanishes in 1 of 2 repeats");
  CHECK_THAT(first_answer({-699, -699}, {3, 3}).sentence, check::contains("e^-699 of its share"));
}

TEST_CASE("first-position-bias: numbers fit into a column") {
  for (const double mean : {-6.0, -3.81, -2.26, -0.5, 0.3, 1.4})
    for (const double error : {0.001, 0.02, 0.06, 0.2})
      CHECK(numbers_text(first_answer({mean - error, mean, mean + error})).size() <= 32);
  CHECK(experiments::find_experiment("first-position-bias").column.legend.size() <= 90);
}

TEST_CASE("first-position-bias: one position has no answer") {
  const data::Answer one = cells::answer_of({"first-position-bias", "learned", {{"length", Value(std::int64_t{1})}}});
  CHECK(one.mark == Mark::none);
  CHECK(one.numbers.empty());
}
