// SPDX-License-Identifier: Apache-2.0
// The gradient share against differences of a second, naive stack: plain loops, attention one query at a time.
#include <cmath>

#include "catch.hpp"
#include "cells.hpp"
#include "first_position_bias_cells.hpp"
#include "thousand.hpp"

#include "poslab/attention/attention.hpp"
#include "poslab/base/random.hpp"

using namespace poslab;
using base::Index;
using data::Value;

namespace {

constexpr Index D = 8, H = 2, K = D / H;

struct Random {
  const host::Scheme* scheme;  // null: no positions
  const data::Draws& draws;
  const host::Weights<double>& weights;
  Index N;
  bool residual;
  double gain;
};

// <u, y_(N-1)> for layer inputs x, after so many layers.
double output(const Random& r, std::vector<double> x, int depth) {
  base::Array<double> positions{r.N, 1};
  for (Index n = 0; n < r.N; ++n) positions(n, 0) = static_cast<double>(n);
  const auto at = [](Index n, Index c) { return static_cast<std::size_t>(n * D + c); };
  for (int l = 0; l < depth; ++l) {
    base::Array<double> z{r.N, D}, projected[3], out{H, r.N, K};
    for (Index n = 0; n < r.N; ++n) {
      double squares = 0;
      for (Index c = 0; c < D; ++c) squares += x[at(n, c)] * x[at(n, c)] / D;
      for (Index c = 0; c < D; ++c) z(n, c) = x[at(n, c)] / std::sqrt(squares);
    }
    std::vector<base::View<const double>> weights;
    if (r.scheme) weights = r.weights.layer(l);
    const char* const names[] = {"query", "key", "value"};
    for (int side = 0; side < 3; ++side) {
      const base::Array<double> W =
          r.draws.normal(std::string(names[side]) + " projection of layer " + std::to_string(l), {D, D});
      const double scale = r.scheme ? r.scheme->logit_scale() : 1 / std::sqrt(double(K));
      const double factor = (side == 0 ? r.gain / std::sqrt(double(K)) / scale : 1) / std::sqrt(double(D));
      projected[side] = base::Array<double>{H, r.N, K};
      const std::vector<Index> channels =
          first_position_bias_cells::query_channels(side < 2 ? r.scheme : nullptr, r.N, weights, l, D, H);
      for (Index n = 0; n < r.N; ++n)
        for (Index drawn = 0; drawn < D; ++drawn) {
          const Index c = channels[static_cast<std::size_t>(drawn)];
          for (Index a = 0; a < D; ++a) projected[side](c / K, n, c % K) += factor * z(n, a) * W(a, drawn);
        }
    }
    attention::attend_reference<double>({r.scheme, {r.N, r.N, true}, positions, weights, l},
                                        {projected[0], projected[1], z}, projected[2], out);
    for (Index n = 0; n < r.N; ++n)
      for (Index c = 0; c < D; ++c) x[at(n, c)] = (r.residual ? x[at(n, c)] : 0) + out(c / K, n, c % K);
  }
  const base::Array<double> u = r.draws.normal("direction of the output", {D});
  double sum = 0;
  for (Index c = 0; c < D; ++c) sum += u(c) * x[at(r.N - 1, c)];
  return sum;
}

double share_by_differences(const Random& r, int depth) {
  const base::Array<double> content = r.draws.normal("content", {r.N, D});
  std::vector<double> x(content.flat().begin(), content.flat().end());
  if (r.scheme && r.scheme->has(host::Operation::encode)) {
    const base::Array<double> codes = first_position_bias_cells::sorted_codes(*r.scheme, r.N, r.weights.layer(0));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += codes.data()[i];
  }
  double first = 0, sum = 0;
  for (Index n = 0; n < r.N; ++n) {
    double squares = 0;
    for (Index c = 0; c < D; ++c) {
      const double step = 1e-5;
      std::vector<double> up = x, down = x;
      up[static_cast<std::size_t>(n * D + c)] += step, down[static_cast<std::size_t>(n * D + c)] -= step;
      squares += std::pow((output(r, up, depth) - output(r, down, depth)) / (2 * step), 2);
    }
    if (n == 0) first = std::sqrt(squares);
    sum += std::sqrt(squares);
  }
  return first / sum;
}

cells::Cell gradient_cell(const std::string& scheme, Index N, std::vector<double> depth, bool residual, double gain) {
  return {"first-position-bias",
          scheme,
          {{"length", Value(std::int64_t{N})},
           {"samples", Value(std::int64_t{1})},
           {"depth", Value(std::move(depth))},
           {"residual", Value(residual)},
           {"query_gain", Value(gain)}},
          {},
          {D, H, N}};
}

}  // namespace

TEST_CASE("first-position-bias: the gradient share is that of differences, in 1000 small cases") {
  const std::vector<std::string> ids{"none", "sinusoidal", "learned",        "rope", "alibi",
                                     "t5",   "shaw",       "transformer-xl", "fox"};
  const base::Stream draw("gradient shares");
  for (std::uint64_t i = 0; i < check::thousand; ++i) {
    const std::string id = ids[i % ids.size()];
    const auto N = static_cast<Index>(1 + draw.below(4 * i, 4));
    const int depth = static_cast<int>(1 + draw.below(4 * i + 1, 2));
    const bool residual = draw.below(4 * i + 2, 2) == 1;
    const double gain = draw.below(4 * i + 3, 4) * 0.5;
    CAPTURE(i, id, N, depth, residual, gain);
    cells::Cell cell = gradient_cell(id, N, {static_cast<double>(depth)}, residual, gain);
    cell.repeat = static_cast<int>(i);
    const cells::Answer answer = cells::run(cell);
    const host::Scheme scheme(cells::plugin(id), {}, {D, H, N});
    const data::Draws draws(20261121, "first-position-bias", id, cell.repeat);
    const host::Weights<double> weights = scheme.draw_weights(draws, depth);
    const double share = share_by_differences({&scheme, draws, weights, N, residual, gain}, depth);
    const double none = share_by_differences({nullptr, draws, weights, N, residual, gain}, depth);
    REQUIRE_THAT(answer.scalar("gradient_share"), check::WithinAbs(share, 1e-6));
    REQUIRE_THAT(answer.scalar("gradient_share_none"), check::WithinAbs(none, 1e-6));
  }
}

TEST_CASE("first-position-bias: the gradient share of one token is all, and none has no excess") {
  const cells::Answer one = cells::run(gradient_cell("rope", 1, {1, 2}, true, 1));
  CHECK(one.curve("gradient_share") == std::vector<double>{1, 1});
  CHECK(one.curve("gradient_share_log_excess") == std::vector<double>{0, 0});
  const cells::Answer none = cells::run(gradient_cell("none", 40, {1, 2, 3}, true, 2));
  CHECK(none.curve("gradient_share_log_excess") == std::vector<double>{0, 0, 0});
  // A bias against distance takes from the first token.
  CHECK(cells::run(gradient_cell("alibi", 40, {1}, false, 0)).scalar("gradient_share_log_excess") < 0);
}

TEST_CASE("first-position-bias: a gradient that rounding hides is 0, and has no excess") {
  // Gates of one half keep 2^-255 of the first of 256 tokens; what sums leave of it is rounding.
  const cells::Answer fox = cells::run(gradient_cell("fox", 256, {1}, false, 1));
  CHECK(fox.scalar("gradient_share") == 0);
  CHECK(std::isnan(fox.scalar("gradient_share_log_excess")));
  CHECK(fox.scalar("gradient_share_none") > 1e-4);
}

TEST_CASE("first-position-bias: where nothing is left to compare with, there is no excess, and none is infinite") {
  // Logits of a hundred standard deviations leave next to nothing of the first token's gradient without positions.
  const cells::Answer answer = cells::run(gradient_cell("index", 64, {1, 2, 3}, false, 100));
  bool is_nothing = false;
  for (std::size_t t = 0; t < 3; ++t) {
    is_nothing = is_nothing || answer.curve("gradient_share_none")[t] == 0;
    CHECK_FALSE(std::isinf(answer.curve("gradient_share_log_excess")[t]));
  }
  CHECK(is_nothing);
}

TEST_CASE("first-position-bias: equal logits, one layer: every token has its own norm's share, by hand") {
  // y = (1/N) sum_j W z_j, so that g_j = |J_j W^T u| / N with J_j = (I - z z^T / D) / rms(x_j).
  const Index N = 5;
  const data::Draws draws(20261121, "first-position-bias", "none", 0);
  const base::Array<double> x = draws.normal("content", {N, D}), u = draws.normal("direction of the output", {D}),
                            W = draws.normal("value projection of layer 0", {D, D});
  double first = 0, sum = 0;
  for (Index n = 0; n < N; ++n) {
    double squares = 0, along = 0, pulled[D] = {}, norm = 0;
    for (Index c = 0; c < D; ++c) squares += x(n, c) * x(n, c) / D;
    for (Index a = 0; a < D; ++a)
      for (Index c = 0; c < D; ++c) pulled[a] += W(a, c) * u(c);
    for (Index a = 0; a < D; ++a) along += pulled[a] * x(n, a) / squares / D;
    for (Index a = 0; a < D; ++a) norm += std::pow(pulled[a] - along * x(n, a), 2) / squares;
    if (n == 0) first = std::sqrt(norm);
    sum += std::sqrt(norm);
  }
  CHECK_THAT(cells::run(gradient_cell("none", N, {1}, false, 0)).scalar("gradient_share"),
             check::WithinRel(first / sum, 1e-12));
}
