// SPDX-License-Identifier: Apache-2.0
// Relative shift where positions are not 0, 1, 2 ...: on grids an offset is a vector.
// Dimension letters: N positions, D model width, H heads, K head width, C contents, M positions of the window.
#include <cmath>

#include "catch.hpp"
#include "cells.hpp"

#include "poslab/data/draws.hpp"

namespace {

using cells::Answer;
using cells::Cell;
using cells::Index;
using poslab::base::Array;
using poslab::data::Placement;
using poslab::data::Value;

using cells::list, cells::whole;

// MAE's code: sines, then cosines, of the column, then of the row.
double mae(double row, double column, Index channel, Index D) {
  const Index n = D / 4, part = channel / n;
  const double w = std::pow(1e4, -static_cast<double>(channel % n) / static_cast<double>(n));
  const double angle = w * (part < 2 ? column : row);
  return part % 2 ? std::cos(angle) : std::sin(angle);
}

}  // namespace

TEST_CASE("relative shift on a grid: what is relative in rows and columns is exact") {
  const std::string scheme = GENERATE("rope-2d", "m-rope", "swin", "none");
  CAPTURE(scheme);
  const Answer answer = cells::run({"relative-shift",
                                    scheme,
                                    {{"shift", list({1, 2, 3})}, {"step", list({1})}},
                                    {},
                                    {32, 2, 20},
                                    0,
                                    cells::grid({4, 5})});
  REQUIRE(answer.skip.empty());
  CHECK(answer.scalar("toeplitz_residual") <= 1e-12 * 20);
  for (const double error : answer.curve("content_error")) CHECK(error <= 1e-13 + 4e-16 * 8);
  REQUIRE(answer.curve("position_spread").size() == 7 * 9);
  const auto& places = answer.record.position_coordinates();
  REQUIRE(places.size() == 2);
  CHECK(places[0].dimension == "offset");
  for (std::size_t r = 0; r < 63; ++r) {
    CHECK(places[0].values[r] == std::floor(static_cast<double>(r) / 9) - 3);
    CHECK(places[1].values[r] == static_cast<double>(r % 9) - 4);
  }
  CHECK(answer.has("composition_error") == (scheme == "rope-2d" || scheme == "m-rope"));
  if (answer.has("composition_error")) CHECK(answer.scalar("composition_error") <= 1e-13);
}

TEST_CASE("relative shift on a grid: MAE's position part is exact, P = sum of cos(w dr) + cos(w dc)") {
  const Answer answer =
      cells::run({"relative-shift", "sincos-2d", {{"step", list({1, 3})}}, {}, {16, 2, 144}, 0, cells::grid({12, 12})});
  CHECK(answer.scalar("toeplitz_residual") <= 1e-12 * 144);
  for (const double error : answer.curve("content_error_rms")) CHECK(error > 0.01);
  REQUIRE(answer.curve("linear_map_residual").size() == 2);
  for (const double residual : answer.curve("linear_map_residual")) CHECK(residual <= 1e-10);
}

TEST_CASE("relative shift on a grid: content error by plain loops: a move along rows, along columns, and along both") {
  const Index D = 8, H = 2, K = 4, C = 3, rows = 3, columns = 2, M = 6;
  const double shift = 2;
  const Answer answer = cells::run({"relative-shift",
                                    "sincos-2d",
                                    {{"contents", whole(C)}, {"shift", list({shift})}},
                                    {},
                                    {D, H, M},
                                    0,
                                    cells::grid({rows, columns})});
  const poslab::data::Draws draws(20261121, "relative-shift", "sincos-2d", 0);
  const Array<double> x = draws.normal("query", {C, H, M, K}), y = draws.normal("key", {C, H, M, K});
  const auto logit = [&](Index c, Index h, Index m, Index n, double dr, double dc) {
    double sum = 0;
    for (Index k = 0; k < K; ++k) {
      const auto code = [&](Index i) {
        return mae(static_cast<double>(i / columns) + dr, static_cast<double>(i % columns) + dc, h * K + k, D);
      };
      sum += (x.view()[c](h, m, k) + code(m)) * (y.view()[c](h, n, k) + code(n));
    }
    return sum;
  };
  // What varies over the keys of a query: the sum of squares about its mean.
  const auto variation = [&](const auto& of_key) {
    double sum = 0, squares = 0;
    for (Index n = 0; n < M; ++n) sum += of_key(n), squares += of_key(n) * of_key(n);
    return squares - sum * sum / static_cast<double>(M);
  };
  double largest = 0, changes = 0, added = 0, logits = 0, pairs = 0;
  for (Index c = 0; c < C; ++c)
    for (Index h = 0; h < H; ++h)
      for (Index m = 0; m < M; ++m) {
        const auto content = [&](Index n) {
          double product = 0;
          for (Index k = 0; k < K; ++k) product += x.view()[c](h, m, k) * y.view()[c](h, n, k);
          return product;
        };
        const auto before = [&](Index n) { return logit(c, h, m, n, 0, 0); };
        for (Index n = 0; n < M; ++n) logits += before(n) * before(n), pairs += 1;
        added += variation([&](Index n) { return before(n) - content(n); });
        for (const auto& [dr, dc] : {std::pair{shift, 0.0}, std::pair{0.0, shift}, std::pair{shift, shift}}) {
          const auto change = [&, down = dr, right = dc](Index n) {
            return logit(c, h, m, n, down, right) - before(n);
          };
          double mean = 0;
          for (Index n = 0; n < M; ++n) mean += change(n) / static_cast<double>(M);
          for (Index n = 0; n < M; ++n) largest = std::max(largest, std::abs(change(n) - mean));
          changes += variation(change) / 3;
        }
      }
  CHECK(answer.curve("content_error")[0] == check::Approx(largest / std::sqrt(logits / pairs)).epsilon(1e-11));
  CHECK(answer.curve("content_error_rms")[0] == check::Approx(std::sqrt(changes / added)).epsilon(1e-11));
}

TEST_CASE("relative shift on a grid: a code that is no function of the offset is found out") {
  const Answer answer = cells::run(
      {"relative-shift", "learnable-fourier", {}, {{"group_axes", whole(2)}}, {32, 4, 36}, 0, cells::grid({6, 6})});
  REQUIRE(answer.skip.empty());
  CHECK(answer.scalar("toeplitz_residual_relative") > 1e-3);
}

TEST_CASE("relative shift of Swin beyond its window: those shifts have no number") {
  const Answer answer = cells::run({"relative-shift",
                                    "swin",
                                    {{"shift", list({1, 2})}},
                                    {{"window", list({7, 6})}},
                                    {16, 2, 30},
                                    0,
                                    cells::grid({5, 5})});
  REQUIRE(answer.skip.empty());
  CHECK(answer.curve("content_error")[0] == 0);
  CHECK(std::isnan(answer.curve("content_error")[1]));  // 6 columns hold no column 6, though 7 rows hold a row 6
}

TEST_CASE("relative shift of positions that are shifted, drawn, or given") {
  Placement shifted, randomised, given;
  shifted.policy = Placement::Policy::shifted, shifted.by = 500;
  randomised.policy = Placement::Policy::randomised, randomised.range = 300;
  given.policy = Placement::Policy::at, given.values = {0, 0.1, 0.2, 0.3, 0.7, 1.9};
  for (const std::string scheme : {"rope", "alibi", "sinusoidal"})
    for (const Placement& placement : {shifted, randomised, given}) {
      CAPTURE(scheme, placement.text());
      Cell cell{"relative-shift", scheme, {{"length", whole(60)}, {"shift", list({1, 16})}}, {}, {16, 2, 600}};
      cell.placement = placement;
      const Answer answer = cells::run(cell);
      REQUIRE(answer.skip.empty());
      CHECK(answer.scalar("toeplitz_residual") <= 1e-12 * 60);
      for (const double error : answer.curve("content_error"))
        if (scheme != "sinusoidal")
          CHECK(error <= 1e-13 + 4e-16 * 600);
        else
          CHECK(error > 0.01);
    }
  const auto offsets = [](const Placement& placement) {
    return cells::run({"relative-shift", "alibi", {}, {}, {16, 2, 600}, 0, placement})
        .record.coordinate_of("offset")
        ->values;
  };
  // 6 positions have 30 differences and 0; 0.1 occurs three times, 0.2 twice, whatever their rounding.
  CHECK(offsets(given).size() == 31 - 2 * 3);
}

TEST_CASE("relative shift of the index, drawn: P = m n spreads over the pairs of an offset, by plain loops") {
  Placement randomised;
  randomised.policy = Placement::Policy::randomised, randomised.range = 40;
  Cell cell{"relative-shift", "index", {{"length", whole(25)}}, {}, {16, 2, 40}};
  cell.placement = randomised;
  const Answer answer = cells::run(cell);
  const poslab::data::Draws draws(20261121, "relative-shift", "index", 0);
  const Array<double> p = randomised.positions(25, draws);
  const std::vector<double>& offsets = answer.record.coordinate_of("offset")->values;
  for (std::size_t r = 0; r < offsets.size(); ++r) {
    double low = 1e9, high = -1e9;
    for (Index m = 0; m < 25; ++m)
      for (Index n = 0; n < 25; ++n)
        if (p(m, 0) - p(n, 0) == offsets[r])
          low = std::min(low, p(m, 0) * p(n, 0)), high = std::max(high, p(m, 0) * p(n, 0));
    CHECK(answer.curve("position_spread")[r] == high - low);
  }
}
