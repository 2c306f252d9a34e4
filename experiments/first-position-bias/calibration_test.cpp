// SPDX-License-Identifier: Apache-2.0
// Whether the marks of first-position-bias are what they say: of noise that favours no position, of a bias of 5 % that
// was planted, and of variants that differ in nothing but where their channels stand.
#include <cmath>

#include "answers.hpp"
#include "catch.hpp"
#include "first_position_bias_cells.hpp"
#include "poslab/data/paired_ratio.hpp"

using namespace poslab;
using namespace first_position_bias_cells;
using data::Mark;

namespace {

// [repeats]: shares of position 0 after the last layer.
struct Shares {
  std::vector<double> scheme, none;
};

Shares shares_of(cells::Cell cell, int repeats) {
  Shares shares;
  for (cell.repeat = 0; cell.repeat < repeats; ++cell.repeat) {
    const cells::Answer answer = cells::run(cell);
    shares.scheme.push_back(answer.curve("residual_context_share").back());
    shares.none.push_back(answer.curve("residual_context_share_none").back());
  }
  return shares;
}

cells::Cell noisy(double noise, double first) {
  cells::Cell here = cell("pair-noise", 16, {2});
  here.parameters = {{"noise", Value(noise)}, {"first", Value(first)}, {"max_length", Value(std::int64_t{16})}};
  return here;
}

// Draws whole tables of `repeats` cells from those that were measured, in order: each cell is in one table.
struct Marks {
  int favoured = 0, disfavoured = 0, even = 0, unclear = 0;
};

Marks marks_in(const Shares& shares, std::size_t repeats, double error_rate) {
  Marks marks;
  for (std::size_t first = 0; first + repeats <= shares.scheme.size(); first += repeats) {
    const auto part = [&](const std::vector<double>& all) {
      return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(first),
                                 all.begin() + static_cast<std::ptrdiff_t>(first + repeats));
    };
    const data::PairedRatio ratio(part(shares.scheme), part(shares.none));
    const auto [low, high] = ratio.interval(error_rate);
    marks.favoured += low > 1.01;
    marks.disfavoured += high < 0.99;
    marks.even += low > 0.99 && high < 1.01;
    marks.unclear += !(low > 1.01 || high < 0.99 || (low > 0.99 && high < 1.01));
  }
  return marks;
}

}  // namespace

TEST_CASE("first-position-bias: noise for each pair favours no position, whatever the mean of logarithms says") {
  const Shares shares = shares_of(noisy(3, 0), 400);
  const data::PairedRatio ratio(shares.scheme, shares.none);
  const auto [low, high] = ratio.interval(0.01);
  CHECK(low < 1);
  CHECK(high > 0.99);
  double log_mean = 0;
  for (std::size_t i = 0; i < 400; ++i) log_mean += std::log(shares.scheme[i] / shares.none[i]) / 400;
  CHECK(std::exp(log_mean) < 0.9);
  const Marks marks = marks_in(shares, 20, 0.05);
  CHECK(marks.favoured + marks.disfavoured <= 3);  // of 20
  // What is planted is found by the same samples.
  const Marks planted = marks_in(shares_of(noisy(0.3, 0.5), 100), 20, 0.05);
  CHECK(planted.favoured == 5);
}

TEST_CASE("first-position-bias: the answer's marks are those of its intervals") {
  cells::Cell here = noisy(0.3, 0.5);
  CHECK(cells::answer_of(here, 20).mark == Mark::yes);
  here = noisy(0.3, -0.5);
  CHECK(cells::answer_of(here, 20).mark == Mark::no);
  here = noisy(0, 0);
  CHECK(cells::answer_of(here, 2).mark == Mark::none);
}

TEST_CASE("first-position-bias: variants that differ in the order of channels have the same numbers") {
  const auto same = [](const std::string& id, const char* parameter, const std::vector<std::string>& values,
                       const std::string& dtype) {
    std::vector<cells::Answer> answers;
    for (const std::string& value : values) {
      cells::Cell here = cell(id, 24, {1, 3});
      here.parameters = {{parameter, Value(value)}};
      here.axes.set("dtype", Value(dtype));
      here.axes.set("samples", Value(std::int64_t{2}));
      answers.push_back(cells::run(here));
    }
    for (const char* measure : {"sink_share", "context_share", "residual_context_share", "gradient_share", "decay"})
      for (std::size_t i = 0; i < answers[0].curve(measure).size(); ++i) {
        CAPTURE(id, measure, dtype, i);
        CHECK_THAT(answers[1].curve(measure)[i],
                   check::WithinAbs(answers[0].curve(measure)[i], dtype == "float64" ? 1e-13 : 1e-5));
      }
  };
  for (const char* dtype : {"float64", "float32"}) {
    same("sinusoidal", "layout", {"interleaved", "half-split"}, dtype);
    same("rope", "style", {"interleaved", "half-split"}, dtype);
    same("resonance", "style", {"interleaved", "half-split"}, dtype);
  }
}

TEST_CASE("first-position-bias: a cell is the mean of its samples, the first of which is a cell of one") {
  cells::Cell here = cell("rope", 12, {1, 2});
  const cells::Answer one = cells::run(here);
  here.axes.set("samples", Value(std::int64_t{5}));
  const cells::Answer five = cells::run(here);
  for (const char* measure : {"decay", "gradient_share", "gradient_share_none"})
    CHECK(five.curve(measure) == one.curve(measure));
  for (const char* measure : {"sink_share", "context_share", "residual_context_share_none"})
    CHECK(five.curve(measure) != one.curve(measure));
  CHECK(five.curve("context_share_log_excess")[1] ==
        std::log(five.curve("context_share")[1]) - std::log(five.curve("context_share_none")[1]));
}
