// SPDX-License-Identifier: Apache-2.0
// Long sequences: where codes are certified to rotate, some rows stand for all, and nothing else changes.
// Dimension letters: N positions, D model width.
#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "cells.hpp"

namespace {

using cells::Answer;
using cells::Index;
using poslab::data::Value;

Answer of_length(const std::string& scheme, Index N, const std::string& dtype) {
  return cells::run({"relative-shift",
                     scheme,
                     {{"length", Value(std::int64_t{N})},
                      {"contents", Value(std::int64_t{1})},
                      {"dtype", Value(dtype)},
                      {"shift", Value(std::vector<double>{1})},
                      {"step", Value(std::vector<double>{1})}},
                     {},
                     {32, 2, N}});
}

// rms of sum_m cos(r w_m) over all pairs: the sinusoid's position score.
double sinusoid_rms(Index N, Index D) {
  double squares = 0;
  for (Index r = 0; r < N; ++r) {
    double score = 0;
    for (Index m = 0; m < D / 2; ++m)
      score += std::cos(static_cast<double>(r) * std::pow(1e4, -2.0 * static_cast<double>(m) / static_cast<double>(D)));
    squares += static_cast<double>(r == 0 ? N : 2 * (N - r)) * score * score;
  }
  return std::sqrt(squares) / static_cast<double>(N);
}

}  // namespace

TEST_CASE("relative shift of 6000 positions: sinusoid and RoPE are Toeplitz, with the rms of all pairs") {
  const Index N = 6000;
  const std::string dtype = GENERATE("float64", "float32");
  CAPTURE(dtype);
  const double of_spread = dtype == "float64" ? 1e-12 * static_cast<double>(N) : 5e-5,
               of_rms = dtype == "float64" ? 1e-12 : 1e-5;
  for (const std::string scheme : {"sinusoidal", "rope"}) {
    CAPTURE(scheme);
    const Answer answer = of_length(scheme, N, dtype);
    CHECK(answer.curve("position_spread").size() == static_cast<std::size_t>(2 * N - 1));
    CHECK(answer.scalar("toeplitz_residual") ==
          *std::max_element(answer.curve("position_spread").begin(), answer.curve("position_spread").end()));
    CHECK(answer.scalar("toeplitz_residual") > 0);
    CHECK(answer.scalar("toeplitz_residual_relative") < of_spread);
    if (scheme == "sinusoidal")
      CHECK(answer.scalar("position_score_rms") == check::Approx(sinusoid_rms(N, 32)).epsilon(of_rms));
  }
}

TEST_CASE("relative shift of 4500 positions: what does not rotate is looked at pair by pair") {
  // Rows N(0, 0.02^2): scores of one offset differ by many times their rms.
  CHECK(of_length("learned", 4500, "float32").scalar("toeplitz_residual_relative") > 5);
  // Codes that grow as they rotate, but scores that depend on the offset alone.
  CHECK(of_length("xpos", 4500, "float64").scalar("toeplitz_residual_relative") < 1e-12 * 4500);
}

TEST_CASE("relative shift: the forecast of long tables that rotate is in order N") {
  const auto operations = [](const std::string& scheme, Index N) {
    const cells::Cell cell{"relative-shift", scheme, {{"length", Value(std::int64_t{N})}}, {}, {32, 2, N}};
    const auto& experiment = poslab::experiments::find_experiment("relative-shift");
    const poslab::host::Scheme built(cells::plugin(scheme), {}, cell.model);
    return experiment.at(cells::all_axes(cell))->estimate({built, cell.placement}).operations;
  };
  for (const std::string scheme : {"sinusoidal", "rope"})
    CHECK(operations(scheme, 1000000) < 12 * operations(scheme, 100000));
  CHECK(operations("learned", 1000000) > 90 * operations("learned", 100000));
}
