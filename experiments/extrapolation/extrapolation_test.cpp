// SPDX-License-Identifier: Apache-2.0
// The cells of extrapolation: what is new beyond training, by known answers; what cannot be asked; float32 and threads.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"
#include "cells.hpp"
#include "extrapolation_cells.hpp"
#include "same_bits.hpp"

using namespace poslab;
using namespace extrapolation_cells;

TEST_CASE("extrapolation: ALiBi and the index go on and on, none has nothing to go on with") {
  const auto beyond = [](double p) { return std::max(p - 32 + 1, 0.0); };
  CHECK(worst(cells::run(cell("alibi", 32, 32)), "novelty", beyond) < 1e-12);
  CHECK(worst(cells::run(cell("index", 32, 8)), "novelty", beyond) < 1e-10);
  const cells::Answer none = cells::run(cell("none", 32, 32));
  CHECK(worst(none, "novelty", [](double) { return 0.0; }) == 0);
  CHECK(none.scalar("unseen_planes") == 0);
  CHECK(none.scalar("unseen_phase") == 0);
}

TEST_CASE("extrapolation: T5 and Shaw meet nothing new once training has reached their last bucket") {
  const auto largest = [](const char* scheme, std::int64_t L) {
    const cells::Answer answer = cells::run(cell(scheme, L, 64));
    return *std::max_element(answer.curve("novelty").begin(), answer.curve("novelty").end());
  };
  CHECK(largest("t5", 114) == 0);
  CHECK(largest("t5", 113) > 0);  // the last bucket begins at 113, which positions 0 .. 112 do not have
  CHECK(largest("shaw", 17) == 0);
  CHECK(largest("shaw", 16) > 0);
  CHECK(largest("transformer-xl", 32) > 0);
}

TEST_CASE("extrapolation: the code of the normalised index changes with the context, and stays within its range") {
  const cells::Answer answer = cells::run(cell("normalised-index", 8, 8));
  CHECK(worst(answer, "novelty", [](double p) {
          const double length = p < 8 ? 8 : p < 16 ? 16 : 32, code = p / (length - 1) * 7;  // in steps of training
          return std::abs(code - std::round(code));
        }) < 1e-12);
  // In the longest context alone, the first positions are new too.
  CHECK(cells::run(cell("normalised-index", 8, 8, {4})).curve("novelty")[1] > 0.2);
}

TEST_CASE("extrapolation: what training showed moves in a longer context, or does not") {
  // Position p moves from p / (L - 1) to p / (m L - 1), in steps of 1 / (L - 1).
  const double L = 8;
  const std::vector<double> moved = cells::run(cell("normalised-index", 8, 8, {1, 2, 4})).curve("context_change");
  REQUIRE(moved.size() == 3);
  for (const std::size_t i : {0, 1, 2}) {
    const double m = std::pow(2, i), of_p = (m - 1) * L / (m * L - 1);
    CHECK_THAT(moved[i], check::WithinAbs(of_p * std::sqrt((L - 1) * (2 * L - 1) / 6), 1e-12));
  }
  for (const char* id : {"none", "rope", "sinusoidal", "t5", "alibi", "shaw"})
    CHECK(cells::run(cell(id, 8, 8)).curve("context_change") == std::vector<double>{0, 0, 0});
  cells::Cell dynamic = cell("rope", 8, 8);
  dynamic.parameters = {{"scaling", Value("dynamic-ntk")}, {"factor", Value(4.0)}};
  CHECK(cells::run(dynamic).curve("context_change")[0] == 0);
  CHECK(cells::run(dynamic).curve("context_change")[2] > 0.1);
  // A table that ends in the middle of a context has no query at its end.
  cells::Cell table = cell("learned", 8, 8);
  table.parameters = {{"max_length", Value(std::int64_t{20})}};
  const std::vector<double> of_table = cells::run(table).curve("context_change");
  CHECK(of_table[1] == 0);
  CHECK(std::isnan(of_table[2]));
}

TEST_CASE("extrapolation: beyond a learned table nothing is defined, and the cell goes on") {
  cells::Cell table = cell("learned", 16, 16);
  table.parameters = {{"max_length", Value(std::int64_t{40})}};
  const cells::Answer answer = cells::run(table);
  REQUIRE(answer.skip.empty());
  CHECK(worst(answer, "defined", [](double p) { return p < 40 ? 1 : 0; }) == 0);
  for (std::size_t p = 0; p < 64; ++p)
    for (const char* measure : {"novelty", "untrained", "logit_drift", "equal_drift", "effective_window"}) {
      CAPTURE(p, measure);
      CHECK(std::isnan(answer.curve(measure)[p]) == (p >= 40));
    }
  CHECK(answer.curve("novelty")[15] == 0);
  CHECK(answer.curve("novelty")[16] > 0);
  CHECK_FALSE(answer.has("unseen_planes"));
  table.parameters = {{"max_length", Value(std::int64_t{10})}};
  CHECK_THAT(cells::run(table).skip, check::contains("position 15"));
}

TEST_CASE("extrapolation: 18 of LLaMA-2's 64 planes make no full turn within its 4096 positions") {
  cells::Cell llama{"extrapolation",
                    "rope",
                    {{"train_length", Value(std::int64_t{4096})},
                     {"points", Value(std::int64_t{1})},
                     {"multiple", Value(std::vector<double>{1})}},
                    {},
                    {128, 1, 4096}};
  const cells::Answer answer = cells::run(llama);
  CHECK(answer.scalar("unseen_planes") == 18);
  CHECK(answer.scalar("unseen_phase") == 18 / 64.0);
}

TEST_CASE("extrapolation: what cannot be asked is skipped with a sentence") {
  CHECK_THAT(cells::run(cell("rope", 8, 8, {1.5})).skip, check::contains("1.5"));
  CHECK_THAT(cells::run(cell("none", std::int64_t{1} << 52, 8, {1, 1e6})).skip,
             check::contains("1000000 times the trained length are 4.504e+21 positions, more than can be counted"));
  CHECK_THAT(cells::run(cell("rope", 8, 8, {})).skip, check::contains("empty"));
  CHECK(cells::run(cell("rope", 1, 8)).skip.empty());
  CHECK(cells::run(cell("rope", 2, 1, {3})).skip.empty());
}

TEST_CASE("extrapolation: float32 is near float64") {
  for (const char* id : {"rope", "sinusoidal", "shaw"}) {
    CAPTURE(id);
    cells::Cell single = cell(id, 16, 16);
    const cells::Answer twice = cells::run(single);
    single.axes.set("dtype", Value("float32"));
    const cells::Answer once = cells::run(single);
    std::size_t index = 0;
    CHECK(worst(once, "novelty", [&](double) { return twice.curve("novelty")[index++]; }) < 1e-5);
    index = 0;
    CHECK(worst(once, "logit_drift", [&](double) { return twice.curve("logit_drift")[index++]; }) < 1e-4);
  }
}

TEST_CASE("extrapolation: the same bits on 1, 2 and 8 threads") {
  for (const char* id : {"sinusoidal", "shaw", "transformer-xl"}) cells::check_same_bits(cell(id, 150, 150));
}
