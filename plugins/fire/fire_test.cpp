// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/error.hpp"
#include "poslab/data/refusal.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{64, 512, true};
const host::Model model{12, 3, 512};
constexpr Index H = 3, M = 5;
constexpr double L = 6;

data::Values parameters(const std::string& ahead) {
  return {{"ahead", Value(ahead)}, {"mlp_width", Value(std::int64_t{M})}, {"init_l", Value(L)}};
}

// Random weights of the network; c and the multiplier as given.
template <class S>
host::Weights<S> weights_of(const host::Scheme& scheme, double c, double multiplier) {
  auto weights = check::random_weights<S>(scheme, "network");
  weights.arrays()[0][0].data()[0] = static_cast<S>(c);
  weights.arrays()[1][0].data()[0] = static_cast<S>(multiplier);
  return weights;
}

template <class S>
Array<S> bias(const host::Scheme& scheme, const Array<double>& queries, const Array<double>& keys,
              const host::Weights<S>& weights) {
  Array<S> out({H, queries.extent(0), keys.extent(0)});
  scheme.bias<S>(context, {queries, keys, 0}, weights.layer(0), out);
  return out;
}

// The paper's listing, in float64: the distance's share, then the network.
template <class S>
double naive(const host::Weights<S>& weights, Index h, double query, double key, bool ahead_counts) {
  const auto& w = weights.arrays();
  const double c = w[0][0].data()[0], threshold = std::abs(L * static_cast<double>(w[1][0].data()[0]));
  const double distance = ahead_counts ? std::abs(query - key) : std::max(query - key, 0.0);
  const double x =
      std::log(std::abs(c * distance) + 1) / (std::log(std::abs(c * std::max(query, threshold)) + 1) + 1e-6);
  double out = w[5][0](h);
  for (Index m = 0; m < M; ++m) out += w[4][0](m, h) * std::max(w[2][0](m) * x + w[3][0](m), 0.0);
  return out;
}

}  // namespace

TEMPLATE_TEST_CASE("fire: the paper's listing, before and beyond L", "", float, double) {
  using S = TestType;
  const std::string ahead = GENERATE("distance", "zero");
  const double c = GENERATE(0.1, -2.0);
  const auto scheme = check::scheme("fire", parameters(ahead), model);
  const auto weights = weights_of<S>(*scheme, c, GENERATE(1.0, -0.5));
  const auto queries = check::positions({0, 4, 9, 1000, 2.5});
  for (const auto& keys : {check::consecutive(12), check::positions({1e6, 3.25, 0, 999})}) {
    const Array<S> out = bias<S>(*scheme, queries, keys, weights);
    for (Index h = 0; h < H; ++h)
      for (Index i = 0; i < 5; ++i)
        for (Index j = 0; j < keys.extent(0); ++j)
          CHECK_THAT(static_cast<double>(out(h, i, j)),
                     check::WithinAbs(naive(weights, h, queries(i, 0), keys(j, 0), ahead == "distance"),
                                      sizeof(S) == 4 ? 2e-5 : 1e-13));
  }
}

TEST_CASE("fire: relative up to L, not beyond, its diagonal is the network at 0") {
  const auto scheme = check::scheme("fire", parameters("zero"), model);
  const auto weights = weights_of<double>(*scheme, 0.5, 1);
  const auto positions = check::consecutive(40);
  const auto out = bias<double>(*scheme, positions, positions, weights);
  for (Index h = 0; h < H; ++h) {
    for (Index i = 1; i < 40; ++i) CHECK(out(h, i, i) == out(h, 0, 0));
    for (Index i = 3; i <= 6; ++i) CHECK_THAT(out(h, i, i - 3), check::WithinAbs(out(h, 3, 0), 1e-15));
    CHECK(std::abs(out(h, 30, 27) - out(h, 3, 0)) > 1e-3);
  }
}

TEST_CASE(
    "fire: the first key's share stays below 1 for every query, so the bias is bounded where keys ahead count 0") {
  const auto zero = check::scheme("fire", parameters("zero"), model),
             distance = check::scheme("fire", parameters("distance"), model);
  CHECK(zero->claims(POSLAB_BOUNDED));
  CHECK_FALSE(distance->claims(POSLAB_BOUNDED));
  host::Weights<double> weights(zero->weights(), 1);  // a network that is the identity
  for (const std::size_t w : {0U, 1U, 2U}) weights.arrays()[w][0].data()[0] = 1;
  weights.arrays()[4][0](0, 0) = 1;
  const auto queries = check::positions({1, 6, 7, 1000, 1e9}), keys = check::positions({0, 5});
  const auto out = bias<double>(*zero, queries, keys, weights);
  for (Index i = 0; i < 5; ++i) {
    CHECK(out(0, i, 0) > 0);
    CHECK(out(0, i, 0) < 1);
  }
  CHECK(bias<double>(*distance, check::positions({0}), check::positions({1e9}), weights)(0, 0, 0) > 10);
}

TEST_CASE("fire: initial weights, claims, and what is refused") {
  const auto scheme = check::scheme("fire", {}, model);
  REQUIRE(scheme->weights().size() == 6);
  CHECK(scheme->weights()[0].first == 0.1);
  CHECK(scheme->weights()[1].first == 1);
  CHECK(scheme->weights()[4].shape == std::array<Index, 4>{32, H, 1, 1});
  CHECK(scheme->claims(POSLAB_CONTENT_FREE));
  CHECK(scheme->claims(POSLAB_LENGTH_FREE));
  CHECK_FALSE(scheme->claims(POSLAB_RELATIVE));
  CHECK_FALSE(scheme->claims(POSLAB_SYMMETRIC));
  const auto weights = weights_of<double>(*scheme, 1, 1);
  CHECK_THROWS_AS(bias<double>(*scheme, check::positions({-1}), check::positions({0}), weights),
                  data::PositionOutOfRange);
  CHECK_THROWS_WITH(check::scheme("fire", {{"init_l", Value(0.0)}}, model), check::contains("\"init_l\" is 0"));
}

TEST_CASE("fire: its gradient is that of central differences, and the derived one") {
  const auto values = parameters(GENERATE("distance", "zero"));
  const auto scheme = check::scheme("fire", values, model), derived = check::derived("fire", values, model);
  auto weights = weights_of<double>(*scheme, GENERATE(0.4, -0.7), GENERATE(1.1, -0.6));
  const auto queries = check::positions({0, 3, 5, 11, 30}), keys = check::positions({0, 1, 5, 9, 40, 30});
  const auto by_bias = check::random({H, 5, 6}, "gradient");
  const auto given = std::as_const(weights).layer(0);
  host::Weights<double> by_hand(scheme->weights(), 1), by_tape(scheme->weights(), 1);
  scheme->bias_gradient<double>(context, {queries, keys, 0}, given, by_bias, by_hand.layer(0));
  derived->bias_gradient<double>(context, {queries, keys, 0}, given, by_bias, by_tape.layer(0));
  const auto loss = [&] { return check::inner(bias<double>(*scheme, queries, keys, weights), by_bias); };
  for (std::size_t w = 0; w < 6; ++w) {
    CHECK(check::is_gradient(loss, weights.arrays()[w][0], by_hand.arrays()[w][0]));
    CHECK(check::largest_difference(by_hand.arrays()[w][0], by_tape.arrays()[w][0]) < 1e-12);
  }
}
