// SPDX-License-Identifier: Apache-2.0
// Dimension letters: N positions of a window, H heads, K head width, R offsets.
#include <set>

#include "poslab/base/error.hpp"
#include "poslab/data/refusal.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

constexpr Index H = 3, K = 4;
const host::Model model{H * K, H, 512};
const host::Context context{64, 512, false};

data::Values parameters(const std::string& version, std::vector<double> window, std::vector<double> pretrained = {}) {
  data::Values values{{"version", Value(version)}, {"window", Value(std::move(window))}};
  if (version == "v2") values.set("hidden", Value(std::int64_t{5}));
  if (!pretrained.empty()) values.set("pretrained_window", Value(std::move(pretrained)));
  return values;
}

Array<double> grid(Index rows, Index columns) {
  Array<double> out({rows * columns, 2});
  for (Index n = 0; n < rows * columns; ++n) {
    out(n, 0) = static_cast<double>(n / columns);
    out(n, 1) = static_cast<double>(n % columns);
  }
  return out;
}

Array<double> position(double row, double column) {
  Array<double> out({1, 2});
  out(0, 0) = row;
  out(0, 1) = column;
  return out;
}

template <class S>
Array<S> bias(const host::Scheme& scheme, const Array<double>& queries, const Array<double>& keys,
              const host::Weights<S>& weights) {
  Array<S> out({H, queries.extent(0), keys.extent(0)});
  scheme.bias<S>(context, {queries, keys, 0}, weights.layer(0), out);
  return out;
}

// Contents, and the logits that v2 makes of them in whatever logits it is handed.
template <class S>
struct Contents {
  Array<double> queries = grid(2, 3), keys = grid(2, 3);
  Array<S> q = check::random<S>({H, 6, K}, "q"), k = check::random<S>({H, 6, K}, "k");
  host::Tile tile() const { return {queries.view(), keys.view(), 0}; }
  Array<S> score(const host::Scheme& scheme, const host::Weights<S>& weights) const {
    auto out = check::random<S>({H, 6, 6}, "whatever");
    scheme.score<S>(context, tile(), {{}, q, k, 0.5}, weights.layer(0), out);
    return out;
  }
};

}  // namespace

TEST_CASE("swin: v1 reads the published index, of which all are used and opposite ones are mirrored") {
  constexpr Index rows = 2, columns = 3, R = (2 * rows - 1) * (2 * columns - 1);
  const auto scheme = check::scheme("swin", parameters("v1", {rows, columns}), model);
  host::Weights<double> weights(scheme->weights(), 1);
  for (Index r = 0; r < R; ++r)
    for (Index h = 0; h < H; ++h) weights.arrays()[0][0](r, h) = static_cast<double>(100 * h + r);
  const auto positions = grid(rows, columns);
  const auto out = bias<double>(*scheme, positions, positions, weights);
  std::set<double> used;
  for (Index a = 0; a < rows * columns; ++a)
    for (Index b = 0; b < rows * columns; ++b) {
      const Index index =
          (a / columns - b / columns + rows - 1) * (2 * columns - 1) + a % columns - b % columns + columns - 1;
      for (Index h = 0; h < H; ++h) CHECK(out(h, a, b) == static_cast<double>(100 * h + index));
      CHECK(out(0, a, b) + out(0, b, a) == R - 1);
      used.insert(out(0, a, b));
    }
  CHECK(used.size() == R);
}

TEMPLATE_TEST_CASE("swin: v2, cosines and the network, pair by pair", "", float, double) {
  using S = TestType;
  const bool pretrained = GENERATE(false, true);
  const auto scheme = check::scheme(
      "swin", parameters("v2", {2, 3}, pretrained ? std::vector<double>{8, 5} : std::vector<double>{}), model);
  auto weights = check::random_weights<S>(*scheme, "network");
  weights.arrays()[3][0].data()[1] = 9;  // beyond ln 100
  const Contents<S> at;
  const Array<S> out = at.score(*scheme, weights);
  const auto& w = weights.arrays();
  const auto spaced = [](double offset, double window) {
    const double u = offset / (window - 1) * 8;
    return (u < 0 ? -1 : 1) * std::log2(std::abs(u) + 1) / std::log2(8.0);
  };
  for (Index i = 0; i < 6; ++i)
    for (Index j = 0; j < 6; ++j) {
      const double row = spaced(at.queries(i, 0) - at.keys(j, 0), pretrained ? 8 : 2),
                   column = spaced(at.queries(i, 1) - at.keys(j, 1), pretrained ? 5 : 3);
      for (Index h = 0; h < H; ++h) {
        double network = 0, product = 0, qq = 0, kk = 0;
        for (Index m = 0; m < 5; ++m)
          network += w[2][0](m, h) * std::max(w[0][0](m, 0) * row + w[0][0](m, 1) * column + w[1][0](m), 0.0);
        for (Index c = 0; c < K; ++c) {
          product += static_cast<double>(at.q(h, i, c)) * at.k(h, j, c);
          qq += static_cast<double>(at.q(h, i, c)) * at.q(h, i, c);
          kk += static_cast<double>(at.k(h, j, c)) * at.k(h, j, c);
        }
        const double wanted =
            product / std::sqrt(qq * kk) * std::min(std::exp(static_cast<double>(w[3][0](h))), 100.0) +
            16 / (1 + std::exp(-network));
        CHECK_THAT(static_cast<double>(out(h, i, j)), check::WithinAbs(wanted, sizeof(S) == 4 ? 3e-5 : 1e-12));
      }
    }
}

TEST_CASE("swin: v2's bias is 8 with a network of zeros, and vectors of length 0 have cosines of 0") {
  const auto scheme = check::scheme("swin", parameters("v2", {2, 3}), model);
  Contents<double> at;
  at.q.fill(0);
  const auto of_zeros = at.score(*scheme, host::Weights<double>(scheme->weights(), 1));
  for (const double x : of_zeros.flat()) CHECK(x == 8);
  auto weights = check::random_weights(*scheme, "network");
  const auto of_network = at.score(*scheme, weights);
  for (const double x : of_network.flat()) {
    CHECK(x > 0);
    CHECK(x < 16);
  }
  Array<double> by_q({H, 6, K}), by_k({H, 6, K});
  host::Weights<double> gradient(scheme->weights(), 1);
  scheme->score_gradient<double>(context, at.tile(), {{}, at.q, at.k, 0.5}, std::as_const(weights).layer(0),
                                 check::random({H, 6, 6}, "by logits"), {{}, by_q, by_k}, gradient.layer(0));
  for (const double x : by_k.flat()) CHECK(std::isfinite(x));
}

TEST_CASE("swin: a position outside the window is refused, on the shorter side too") {
  const auto scheme = check::scheme("swin", parameters("v1", {2, 5}), model);
  const auto weights = check::random_weights(*scheme, "table");
  const auto at = [&](double row, double column) {
    return bias<double>(*scheme, position(0, 0), position(row, column), weights);
  };
  CHECK_NOTHROW(at(1, 4));
  CHECK_THROWS_AS(at(2, 0), data::PositionOutOfRange);
  CHECK_THROWS_WITH(at(2, 0), check::contains("row 2 is beyond 1, the last of the window"));
  CHECK_THROWS_AS(at(0, 5), data::PositionOutOfRange);
  CHECK_THROWS_AS(at(-1, 0), data::PositionOutOfRange);
  CHECK_THROWS_AS(at(0.5, 0), data::PositionOutOfRange);
  CHECK_THROWS_AS(bias<double>(*scheme, check::positions({0}), check::positions({0}), weights), data::Refused);
  CHECK(scheme->highest_position() == 4);
}

TEST_CASE("swin: windows that mean nothing are refused") {
  const auto make = [](const std::string& version, std::vector<double> window, std::vector<double> pretrained = {}) {
    check::scheme("swin", parameters(version, std::move(window), std::move(pretrained)), model);
  };
  CHECK_NOTHROW(make("v1", {1, 1}));
  CHECK_THROWS_WITH(make("v2", {1, 4}), check::contains("divides by the window less 1"));
  CHECK_NOTHROW(make("v2", {1, 4}, {8, 8}));
  CHECK_THROWS_WITH(make("v1", {4}), check::contains("two numbers, rows and columns, not 1"));
  CHECK_THROWS_WITH(make("v1", {4, 2.5}), check::contains("whole numbers from 1 on, not 2.5"));
  CHECK_THROWS_WITH(make("v1", {4, 4}, {8, 8}), check::contains("belongs to v2"));
  CHECK_THROWS_AS(make("v1", {4, 4}, {8, 8}), data::Refused);
}

TEST_CASE("swin: weights and claims") {
  const auto v1 = check::scheme("swin", {}, model), v2 = check::scheme("swin", {{"version", Value("v2")}}, model);
  REQUIRE(v1->weights().size() == 1);
  CHECK(v1->weights()[0].shape == std::array<Index, 4>{225, H, 1, 1});
  CHECK(v1->weights()[0].second == 0.02);
  REQUIRE(v2->weights().size() == 4);
  CHECK(v2->weights()[0].shape == std::array<Index, 4>{512, 2, 1, 1});
  CHECK(v2->weights()[3].first == std::log(10.0));
  CHECK(v1->has(host::Operation::bias));
  CHECK_FALSE(v1->has(host::Operation::score));
  CHECK(v2->has(host::Operation::score));
  CHECK_FALSE(v2->has(host::Operation::bias));
  CHECK(v2->score_writes_logits());
  CHECK(v1->claims(POSLAB_CONTENT_FREE));
  CHECK_FALSE(v2->claims(POSLAB_CONTENT_FREE));
  for (const auto claim : {POSLAB_RELATIVE, POSLAB_BOUNDED, POSLAB_LENGTH_FREE}) {
    CHECK(v1->claims(claim));
    CHECK(v2->claims(claim));
  }
}

TEST_CASE("swin: v1's gradient is that of central differences, and the derived one") {
  const auto values = parameters("v1", {2, 3});
  const auto scheme = check::scheme("swin", values, model), derived = check::derived("swin", values, model);
  auto weights = check::random_weights(*scheme, "table");
  const auto positions = grid(2, 3);
  const auto by_bias = check::random({H, 6, 6}, "gradient");
  const auto given = std::as_const(weights).layer(0);
  host::Weights<double> by_hand(scheme->weights(), 1), by_tape(scheme->weights(), 1);
  scheme->bias_gradient<double>(context, {positions, positions, 0}, given, by_bias, by_hand.layer(0));
  derived->bias_gradient<double>(context, {positions, positions, 0}, given, by_bias, by_tape.layer(0));
  const auto loss = [&] { return check::inner(bias<double>(*scheme, positions, positions, weights), by_bias); };
  CHECK(check::is_gradient(loss, weights.arrays()[0][0], by_hand.arrays()[0][0]));
  CHECK(check::largest_difference(by_hand.arrays()[0][0], by_tape.arrays()[0][0]) < 1e-13);
}

TEST_CASE("swin: v2's gradient is that of central differences, in full for q and k, and the derived one") {
  const auto values = parameters("v2", {2, 3});
  const auto scheme = check::scheme("swin", values, model), derived = check::derived("swin", values, model);
  auto weights = check::random_weights(*scheme, "network");
  weights.arrays()[3][0].data()[1] = 9;  // beyond ln 100: no gradient
  Contents<double> at;
  const auto by_logits = check::random({H, 6, 6}, "by logits");
  const auto gradient_of = [&](const host::Scheme& of, host::Weights<double>& gradient, Array<double>& by_q,
                               Array<double>& by_k) {
    of.score_gradient<double>(context, at.tile(), {{}, at.q, at.k, 0.5}, std::as_const(weights).layer(0), by_logits,
                              {{}, by_q, by_k}, gradient.layer(0));
  };
  host::Weights<double> by_hand(scheme->weights(), 1), by_tape(scheme->weights(), 1);
  Array<double> by_q({H, 6, K}), by_k({H, 6, K}), by_q_on_tape({H, 6, K}), by_k_on_tape({H, 6, K});
  gradient_of(*scheme, by_hand, by_q, by_k);
  gradient_of(*derived, by_tape, by_q_on_tape, by_k_on_tape);
  const auto loss = [&] { return check::inner(at.score(*scheme, weights), by_logits); };
  for (std::size_t w = 0; w < 4; ++w) {
    CHECK(check::is_gradient(loss, weights.arrays()[w][0], by_hand.arrays()[w][0]));
    CHECK(check::largest_difference(by_hand.arrays()[w][0], by_tape.arrays()[w][0]) < 1e-11);
  }
  CHECK(by_hand.arrays()[3][0].data()[1] == 0);
  CHECK(check::is_gradient(loss, at.q, by_q));
  CHECK(check::is_gradient(loss, at.k, by_k));
  CHECK(check::largest_difference(by_q, by_q_on_tape) < 1e-12);
  CHECK(check::largest_difference(by_k, by_k_on_tape) < 1e-12);
}
