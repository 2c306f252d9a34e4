// SPDX-License-Identifier: Apache-2.0
// What first-position-bias answers, of records made by hand.
#include <cmath>
#include <limits>

#include "answers.hpp"
#include "catch.hpp"
#include "cells.hpp"
#include "poslab/experiment/tested_answer.hpp"

using namespace poslab;
using data::Mark;
using data::Value;

namespace {

constexpr double share = 0.02;  // of position 0 without positions

experiments::Point point_of(const std::vector<data::Record>& records, const data::Values& axes, bool untrained) {
  experiments::Point point{experiments::find_experiment("first-position-bias").info, axes, {}, untrained};
  for (const data::Record& record : records) point.repeats.push_back(&record);
  return point;
}

struct Made {
  std::vector<double> excess;  // nat, of each repeat: log of the share over that without positions
  std::vector<double> decay = {0.01, -0.01};
  double gain = 1;
  bool residual = true, untrained = false;
  double apart = 0;               // decays of repeats
  std::vector<double> none = {};  // shares without positions; empty: all `share`
};

// One record for each log excess at depth 3; at depth 1 something else.
std::vector<data::Record> records_of(const Made& made) {
  std::vector<data::Record> records(made.excess.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    const double none = made.none.empty() ? share : made.none[i], shared = none * std::exp(made.excess[i]);
    records[i].coordinate("depth", {1, 3});
    records[i].curve("context_share", {"depth"}, {0.7, made.residual ? 0.8 : shared});
    records[i].curve("context_share_none", {"depth"}, {0.1, none});
    records[i].curve("residual_context_share", {"depth"}, {0.7, made.residual ? shared : 0.8});
    records[i].curve("residual_context_share_none", {"depth"}, {0.1, none});
    records[i].coordinate("head", {0, 1});
    std::vector<double> of_heads = made.decay;
    for (double& of_head : of_heads) of_head += static_cast<double>(i) * made.apart;
    records[i].curve("decay", {"head"}, of_heads);
  }
  return records;
}

data::Values axes_of(const Made& made) {
  data::Values axes = cells::all_axes({"first-position-bias", "none", {{"query_gain", Value(made.gain)}}});
  axes.set("residual", Value(made.residual));
  return axes;
}

data::Answer first_answer(const Made& made) {
  const std::vector<data::Record> records = records_of(made);
  const data::Values axes = axes_of(made);
  const experiments::Experiment& experiment = experiments::find_experiment("first-position-bias");
  return cells::explained(experiment, experiment.answer(point_of(records, axes, made.untrained)));
}

data::Answer first_answer(const std::vector<double>& excess, const std::vector<double>& decay = {0.01, -0.01},
                          double gain = 1, bool residual = true, bool untrained = false, double apart = 0) {
  return first_answer(Made{excess, decay, gain, residual, untrained, apart});
}

}  // namespace

TEST_CASE("first-position-bias answers with the ratio of mean shares and the interval that decides") {
  const data::Answer more = first_answer({0.1, 0.2, 0.15, 0.12, 0.18}), less = first_answer({-0.1, -0.2, -0.15});
  CHECK(more.mark == Mark::yes);
  REQUIRE(more.numbers.size() == 1);
  // The denominators do not vary, so that this is the interval of a mean.
  double mean = 0, squares = 0;
  for (const double excess : {0.1, 0.2, 0.15, 0.12, 0.18}) mean += std::exp(excess) / 5;
  for (const double excess : {0.1, 0.2, 0.15, 0.12, 0.18}) squares += std::pow(std::exp(excess) - mean, 2);
  const double error = std::sqrt(squares / 4 / 5);
  CHECK_THAT(more.numbers[0].value, check::WithinAbs(mean, 1e-12));
  CHECK_THAT(more.numbers[0].low, check::WithinAbs(mean - 2.7764 * error, 1e-5));
  CHECK_THAT(more.numbers[0].high, check::WithinAbs(mean + 2.7764 * error, 1e-5));
  CHECK(more.numbers[0].before == "x");
  CHECK_THAT(more.sentence, check::contains("(3 layers of 64 positions with residual paths, 5 repeats"));
  CHECK_THAT(more.sentence, check::contains("float64, 95 % interval)"));
  CHECK(less.mark == Mark::no);
  CHECK(less.numbers[0].high < 0.99);
}

TEST_CASE("first-position-bias: the ratio of means and not the mean of logarithms") {
  // A share that is 1/2 or 3/2 of what it is without positions, as often: a mean of logarithms says 0.87.
  std::vector<double> excess;
  for (int i = 0; i < 100; ++i) excess.push_back(std::log(i % 2 == 0 ? 0.5 : 1.5));
  const data::Answer noisy = first_answer(excess);
  CHECK_THAT(noisy.numbers.at(0).value, check::WithinAbs(1, 1e-12));
  CHECK(noisy.mark == Mark::cannot_tell);
  // Nor the mean of ratios, of which the small denominators' weigh as much as the large ones'.
  const data::Answer weighed = first_answer(Made{.excess = {std::log(3), 0}, .none = {0.01, 0.03}});
  CHECK_THAT(weighed.numbers.at(0).value, check::WithinAbs(1.5, 1e-12));
}

TEST_CASE("first-position-bias: a mark where the whole interval lies beyond 1 %, even where it lies within") {
  const auto around = [](double factor, double spread) {
    std::vector<double> excess;
    for (int i = 0; i < 20; ++i) excess.push_back(std::log(factor + (i % 2 == 0 ? spread : -spread)));
    return first_answer(excess);
  };
  const double error = 1 / std::sqrt(19.0);  // of the mean of 20, of which each is 1 from it
  const double reach = 2.093 * error;        // of the interval, by Student's t of 20
  CHECK(around(1.05, 0.03 / reach).mark == Mark::yes);
  CHECK(around(1.05, 0.045 / reach).mark == Mark::cannot_tell);  // told from 1, but not from 1.01
  CHECK(around(1.05, 0.045 / reach).numbers.at(0).low > 1);
  CHECK(around(0.95, 0.03 / reach).mark == Mark::no);
  CHECK(around(0.95, 0.045 / reach).mark == Mark::cannot_tell);
  const data::Answer even = around(1.004, 0.005 / reach), nearly = around(1.004, 0.007 / reach);
  CHECK(even.mark == Mark::none);
  CHECK(even.numbers.at(0).before == "even x");
  CHECK_THAT(even.sentence, check::contains("): within 1 % of 1"));
  CHECK(nearly.mark == Mark::cannot_tell);
  CHECK(nearly.numbers.at(0).before == "x");
  CHECK(around(1.008, 0.001 / reach).mark == Mark::none);  // told from 1, and even all the same
}

TEST_CASE("first-position-bias: what may be chance cannot be told from 1") {
  const data::Answer answer = first_answer({0.1, -0.05, 0.02, 0.03, -0.04});
  CHECK(answer.mark == Mark::cannot_tell);
  REQUIRE(answer.numbers.size() == 1);
  CHECK(answer.numbers[0].low < 1);
  CHECK(answer.numbers[0].high > 1);
  CHECK_THAT(answer.sentence, check::contains("5 repeats cannot tell whether"));
  CHECK(first_answer({0.1, 0.02, 0.03}).mark == Mark::cannot_tell);  // 2 errors of three repeats: one case in six
  CHECK(first_answer({0.1}).mark == Mark::cannot_tell);
  CHECK_THAT(first_answer({0.1}).sentence, check::contains("one repeat has no error"));
}

// Where an answer stands in a column of others, it is surer or not given.
TEST_CASE("first-position-bias: the error rate decides on mark and interval") {
  const Made made{{0.1, 0.2, 0.15, 0.12, 0.18}};
  const std::vector<data::Record> records = records_of(made);
  const data::Values axes = axes_of(made);
  const experiments::Experiment& experiment = experiments::find_experiment("first-position-bias");
  const auto definition = experiment.at(axes);
  const auto& by_test = dynamic_cast<const experiments::AnswersByTest&>(*definition);
  const auto tested = by_test.tested(point_of(records, axes, false));
  REQUIRE(tested);
  CHECK(tested->at(tested->chance * 1.01).mark == Mark::yes);
  CHECK(tested->at(tested->chance * 0.99).mark == Mark::cannot_tell);
  CHECK(tested->at(tested->chance * 0.99).numbers.at(0).low < 1.01);
  CHECK_THAT(tested->at(0.05 / 11).sentence, check::contains("99.55 % interval"));
}

TEST_CASE("first-position-bias: what nothing random enters is exact") {
  CHECK(first_answer({0, 0, 0}).mark == Mark::none);
  CHECK(numbers_text(first_answer({0, 0, 0})) == "even x 1");
  CHECK(first_answer({-0.5}, {0.1, 0.1}, 0).mark == Mark::no);
  CHECK(numbers_text(first_answer({-0.5}, {0.1, 0.1}, 0)) == "x 0.607");
  CHECK(numbers_text(first_answer({0.4}, {0.1, 0.1}, 0, false)) == "x 1.49");  // by the other rollout
  CHECK(numbers_text(first_answer({0.005}, {0.1, 0.1}, 0)) == "even x 1.01");
  CHECK(first_answer({-0.5, -0.4}, {0.1, 0.1}, 0).mark == Mark::cannot_tell);  // something was drawn
  // One draw of weights that are not trained is drawn all the same.
  CHECK(first_answer({-0.5}, {0.1, 0.1}, 0, true, true).mark == Mark::cannot_tell);
}

TEST_CASE("first-position-bias: a factor beyond 1000, or below 1/1000 without a decay, is told as a power") {
  const data::Answer large = first_answer({12, 12.2, 12.1, 11.9});
  REQUIRE(large.numbers.size() == 1);
  CHECK(large.mark == Mark::yes);
  CHECK_THAT(large.numbers[0].value,
             check::WithinAbs(std::log((std::exp(12) + std::exp(12.2) + std::exp(12.1) + std::exp(11.9)) / 4), 1e-9));
  CHECK(large.numbers[0].low < 12);
  CHECK(large.numbers[0].high > 12.1);
  CHECK(large.numbers[0].before == "ln");
  CHECK_THAT(large.sentence, check::contains("by e to the power of 12"));
  const data::Answer small = first_answer({-12.1, -11.9, -12}, {-0.1, 0.1});
  CHECK(small.mark == Mark::no);
  CHECK_THAT(numbers_text(small), check::starts_with("ln -12.0 ["));
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
  // A share of next to nothing is surely less than 0.99 of one that does not vary.
  CHECK(first_answer({-7, -165}, {0.69, 0.76}).mark == Mark::no);
  const data::Answer drawn = first_answer({-165, -166}, {0.69, 0.76}, 1, true, true, 0.02);
  CHECK(numbers_text(drawn) == "-0.700 ± 0.010 nat/pos");
  CHECK_THAT(drawn.sentence, check::contains("0.700 ± 0.010 to 0.770 ± 0.010 nat a position, by head"));
  CHECK_THAT(fox.sentence, check::contains("e^-165 of its share"));
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
  const data::AnswerColumn& column = experiments::find_experiment("first-position-bias").column;
  CHECK(data::unexplained(column, {"x", "even x", "ln", "nat/pos"}).empty());
}

TEST_CASE("first-position-bias: one position has no answer") {
  const data::Answer one = cells::answer_of({"first-position-bias", "learned", {{"length", Value(std::int64_t{1})}}});
  CHECK(one.mark == Mark::none);
  CHECK(one.numbers.empty());
}
