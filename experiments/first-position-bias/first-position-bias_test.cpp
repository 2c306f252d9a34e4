// SPDX-License-Identifier: Apache-2.0
// The cells of first-position-bias: few positions, ALiBi's rows in closed form, depths, tables, float32, threads.
// Dimension letters: N positions, H heads.
#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"
#include "cells.hpp"
#include "first_position_bias_cells.hpp"
#include "poslab/experiment/experiment.hpp"
#include "same_bits.hpp"

using namespace poslab;
using namespace first_position_bias_cells;

TEST_CASE("first-position-bias: length 1 and 2") {
  const cells::Answer one = cells::run(cell("rope", 1, {1, 2}));
  CHECK(one.curve("sink_share") == std::vector<double>{1, 1});
  CHECK(one.curve("context_share") == std::vector<double>{1, 1});
  CHECK(one.curve("context_share_log_excess") == std::vector<double>{0, 0});
  CHECK(one.curve("residual_context_share_log_excess") == std::vector<double>{0, 0});
  for (const double decay : one.curve("decay")) CHECK(std::isnan(decay));
  const cells::Answer two = cells::run(cell("none", 2, {1, 2}, 0));
  CHECK(two.curve("sink_share") == std::vector<double>{0.75, 0.75});
  CHECK(two.curve("context_share") == std::vector<double>{0.5, 0.75});
  CHECK(two.curve("residual_context_share") == std::vector<double>{0.25, 0.4375});
}

TEST_CASE("first-position-bias: equal logits under ALiBi leave its geometric rows") {
  const Index N = 50;
  std::vector<double> F(static_cast<std::size_t>(N), 0.0), next(F);
  F[0] = 1;
  double sink = 0;
  const cells::Answer answer = cells::run(cell("alibi", N, {1, 2, 3, 4}, 0));
  for (std::size_t t = 0; t < 4; ++t) {
    sink = 0;
    for (Index i = 0; i < N; ++i) {
      next[static_cast<std::size_t>(i)] = 0;
      for (Index h = 0; h < H; ++h) {
        const double r = std::exp(-std::exp2(-2.0 * static_cast<double>(h + 1)));
        const double least = std::pow(r, i) * (1 - r) / (1 - std::pow(r, i + 1));
        sink += least / static_cast<double>(N * H);
        for (Index j = 0; j <= i; ++j)
          next[static_cast<std::size_t>(i)] += least * std::pow(r, -j) * F[static_cast<std::size_t>(j)] / H;
      }
    }
    F = next;
    CHECK_THAT(answer.curve("sink_share")[t], check::WithinAbs(sink, 1e-12));
    CHECK_THAT(answer.curve("context_share")[t], check::WithinAbs(F.back(), 1e-12));
  }
}

TEST_CASE("first-position-bias: depths may be asked for in any order, some or all") {
  const cells::Answer all = cells::run(cell("rope", 20, {1, 2, 3})), some = cells::run(cell("rope", 20, {3, 1, 3}));
  CHECK(some.record.coordinate_of("depth")->values == std::vector<double>{1, 3});
  CHECK(some.curve("context_share") ==
        std::vector<double>{all.curve("context_share")[0], all.curve("context_share")[2]});
  CHECK_THAT(cells::run(cell("rope", 20, {1.5})).skip, check::contains("1.5"));
  CHECK_THAT(cells::run(cell("rope", 20, {})).skip, check::contains("empty"));
}

TEST_CASE("first-position-bias: a table that is too short is skipped with its sentence") {
  cells::Cell table = cell("learned", 30, {1});
  table.parameters = {{"max_length", Value(std::int64_t{20})}};
  CHECK_THAT(cells::run(table).skip, check::contains("position 29"));
}

TEST_CASE("first-position-bias: float32 is near float64") {
  cells::Cell here = cell("rope", 60, {1, 2, 3});
  const cells::Answer twice = cells::run(here);
  here.axes.set("dtype", Value("float32"));
  const cells::Answer once = cells::run(here);
  const data::ExperimentInfo& info = experiments::find_experiment("first-position-bias").info;
  for (const data::Measurement& measured : twice.record.measurements()) {
    CAPTURE(measured.name);
    const std::vector<double>& rounded = once.curve(measured.name);
    for (std::size_t i = 0; i < rounded.size(); ++i) {
      const double allowed =
          info.measure(measured.name)->tolerance_at(all_axes(here)).allowed(rounded[i], measured.values[i], 59, 60);
      CHECK_THAT(rounded[i], check::WithinAbs(measured.values[i], allowed));
    }
  }
}

TEST_CASE("first-position-bias: the same bits on 1, 2 and 8 threads") {
  for (const char* id : {"sinusoidal", "shaw"}) cells::check_same_bits(cell(id, 400, {1, 2, 3}));
}
