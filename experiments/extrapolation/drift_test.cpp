// SPDX-License-Identifier: Apache-2.0
// The drifts of logits in cells of extrapolation, against closed forms.
// Dimension letters: L trained length, K head width.
#include <cmath>
#include <vector>

#include "answers.hpp"
#include "catch.hpp"
#include "cells.hpp"
#include "extrapolation_cells.hpp"

using namespace poslab;
using namespace extrapolation_cells;
using base::Index;

TEST_CASE("extrapolation: where a scheme puts the scale changes neither drift nor window") {
  cells::Cell unscaled = cell("t5", 24, 24), scaled = unscaled;
  scaled.parameters = {{"scaled", Value(true)}};
  const cells::Answer a = cells::run(unscaled), b = cells::run(scaled);
  for (const char* measure : {"logit_drift", "equal_drift", "effective_window"}) {
    CAPTURE(measure);
    std::size_t index = 0;
    CHECK(worst(a, measure, [&](double) { return b.curve(measure)[index++]; }) < 1e-12);
  }
}

TEST_CASE("extrapolation: among equal tokens RoPE's logits fall beyond training, none's stay") {
  const Index L = 256, K = 16;
  double drift = 0;
  for (int repeat = 0; repeat < 6; ++repeat) {
    cells::Cell here{
        "extrapolation",
        "rope",
        {{"train_length", Value(L)}, {"points", Value(std::int64_t{1})}, {"multiple", Value(std::vector<double>{8})}},
        {},
        {128, 8, L}};
    here.repeat = repeat;
    drift += cells::run(here).curve("equal_drift").back() / 6;
    here.scheme = "none";
    const cells::Answer none = cells::run(here);
    for (const double still : none.curve("equal_drift")) CHECK_THAT(still, check::WithinAbs(0, 1e-12));
  }
  // The logit of distance r is sum_j |x_j|^2 cos(r theta_j) / sqrt(K), with E |x_j|^2 = 2; random ones have variance 1.
  const auto logit = [&](Index r) {
    double sum = 0;
    for (Index j = 0; j < K / 2; ++j)
      sum += 2 * std::cos(static_cast<double>(r) * std::pow(1e4, -2.0 * static_cast<double>(j) / K)) / std::sqrt(K);
    return sum;
  };
  double beyond = 0, trained = 0;
  for (Index r = 0; r < 8 * L; ++r) beyond += logit(r) / static_cast<double>(8 * L);
  for (Index r = 0; r < L; ++r)
    trained += logit(r) * static_cast<double>(L - r) / (static_cast<double>(L) * static_cast<double>(L + 1) / 2);
  CHECK(beyond - trained < -1);
  // |x_j|^2 has relative deviation 1, and 8 heads times 6 repeats are averaged.
  CHECK_THAT(drift, check::WithinAbs(beyond - trained, 0.3));
}

TEST_CASE("extrapolation: ALiBi's logits fall as the mean distance grows, none's stay") {
  const std::int64_t L = 64;
  double none = 0, alibi = 0;
  for (int repeat = 0; repeat < 4; ++repeat) {
    cells::Cell here = cell("none", L, 1, {1, 8});
    here.repeat = repeat;
    none += cells::run(here).curve("logit_drift").back() / 4;
    here.scheme = "alibi";
    alibi += cells::run(here).curve("logit_drift").back() / 4;
  }
  // Slopes 1/16 and 1/256: mean distance p/2 at p against (L - 1)/3 in training, where the logits vary by the contents
  // (1), the distances of both slopes, and between the slopes.
  const double p = 8 * 64 - 1, mean_slope = (1 / 16.0 + 1 / 256.0) / 2, square = (1 / 256.0 + 1 / 65536.0) / 2;
  const double mean = 63 / 3.0, mean_square = 63 * 64 / 6.0;
  const double variance = 1 + square * mean_square - std::pow(mean_slope * mean, 2);
  CHECK_THAT(none, check::WithinAbs(0, 0.1));
  CHECK_THAT(alibi, check::WithinAbs(-mean_slope * (p / 2 - mean) / std::sqrt(variance), 0.2));
}

TEST_CASE("extrapolation: ALiBi as models release it has the codes, the drift and the answer of ALiBi") {
  const std::int64_t L = 48;
  const auto cell_of = [&](const char* form) {
    cells::Cell here = cell("key-bias", L, 8, {1, 2, 4});
    here.parameters = {{"form", Value(form)}};
    return here;
  };
  const cells::Answer offset = cells::run(cell_of("offset"));
  CHECK(offset.curve("novelty").back() > 100);
  CHECK(offset.curve("equal_drift").back() < -1);
  for (const char* form : {"key", "key-from-the-end"}) {
    CAPTURE(form);
    const cells::Answer released = cells::run(cell_of(form));
    for (const double moved : released.curve("context_change")) CHECK(moved == 0);
    for (const char* measure : {"novelty", "equal_drift"})
      for (std::size_t i = 0; i < offset.curve(measure).size(); ++i)
        CHECK_THAT(released.curve(measure)[i], check::WithinAbs(offset.curve(measure)[i], 1e-9));
    CHECK(numbers_text(cells::answer_of(cell_of(form))) == numbers_text(cells::answer_of(cell_of("offset"))));
  }
  // A number for each query is no code of its keys.
  const cells::Answer query = cells::run(cell_of("query"));
  for (const double drift : query.curve("equal_drift")) CHECK_THAT(drift, check::WithinAbs(0, 1e-12));
  for (const double novelty : query.curve("novelty")) CHECK(novelty == 0);
  CHECK(cells::answer_of(cell_of("query")).mark == poslab::data::Mark::yes);
}
