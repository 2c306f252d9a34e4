// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/error.hpp"
#include "poslab/data/refusal.hpp"
#include "score_check.hpp"

using namespace poslab;
using base::Index;
using check::Value;

namespace {

constexpr Index H = 2, K = 4, P = K / 2, D = H * K;
const host::Model model{D, H, 64};
const std::vector<double> positions{0, 1, 2, 3, 4, 5, 6};

data::Values parameters(std::int64_t convolution, bool gate) {
  return {{"rank", Value(std::int64_t{3})},
          {"theta", Value(50.0)},
          {"temperature_max", Value(0.7)},
          {"convolution", Value(convolution)},
          {"gate", Value(gate)}};
}

template <class S>
const base::Array<S>& named(const host::Scheme& scheme, const host::Weights<S>& weights, const std::string& name) {
  for (std::size_t w = 0; w < scheme.weights().size(); ++w)
    if (scheme.weights()[w].name == name) return weights.arrays()[w][0];
  throw std::runtime_error("no weight " + name);
}

// phi of a token, by definition.
template <class S>
double phase(const check::Scored<S>& at, const host::Scheme& scheme, const host::Weights<S>& weights, Index token,
             Index h, Index m, bool convolves, bool gated) {
  const auto input = [&](Index key, Index d) {
    const Index head = d / K;
    double square = 1e-6;
    for (Index c = head * K; c < (head + 1) * K; ++c) square += static_cast<double>(at.x(key, c)) * at.x(key, c);
    return at.x(key, d) / std::sqrt(square);
  };
  const auto projected = [&](Index key) {
    double sum = 0;
    for (Index r = 0; r < 3; ++r)
      for (Index d = 0; d < D; ++d)
        sum += static_cast<double>(named(scheme, weights, "up")(h * P + m, r)) * named(scheme, weights, "down")(r, d) *
               input(key, d);
    return sum;
  };
  double phi = projected(token);
  if (convolves) {
    const auto& taps = named(scheme, weights, "taps");
    phi = 0;
    for (Index back = 0; back <= token && back < taps.extent(1); ++back)
      phi += taps(h * P + m, taps.extent(1) - 1 - back) * projected(token - back);
  }
  if (!gated) return phi;
  double z = named(scheme, weights, "gate_bias")(h);
  for (Index d = 0; d < D; ++d) z += named(scheme, weights, "gate")(h, d) * input(token, d);
  return phi / (1 + std::exp(-z));
}

}  // namespace

TEMPLATE_TEST_CASE("selective-rope: planes rotate by the difference of the summed angles", "", float, double) {
  using S = TestType;
  const auto [convolution, gated] = GENERATE(std::pair{4, false}, std::pair{0, true}, std::pair{2, true});
  const Index first = GENERATE(0, 4);
  const check::Scored<S> at(model, check::counted(first, 3), positions, first);
  const auto scheme = check::scheme("selective-rope", parameters(convolution, gated), model);
  const auto weights = check::random_weights<S>(*scheme, "w");
  const auto angle = [&, c = convolution, g = gated](Index h, Index m, Index last) {
    double sum = 0;
    for (Index token = 0; token <= last; ++token) sum += phase(at, *scheme, weights, token, h, m, c > 0, g);
    return 0.7 * std::pow(50, -static_cast<double>(m) / P) * sum;
  };
  at.compare(
      at.logits(*scheme, weights),
      [&](Index h, Index i, Index j) {
        double sum = 0;
        for (Index m = 0; m < P; ++m) {
          const double by = angle(h, m, at.first + i) - angle(h, m, j);
          const double q1 = at.q(h, i, m), q2 = at.q(h, i, m + P), k1 = at.k(h, j, m), k2 = at.k(h, j, m + P);
          sum += std::cos(by) * (q1 * k1 + q2 * k2) + std::sin(by) * (q1 * k2 - q2 * k1);
        }
        return at.scale * sum;
      },
      2000 * std::numeric_limits<S>::epsilon());
}

TEST_CASE("selective-rope: phi = 1 is RoPE with half-split pairs, phi = 0 is no position") {
  const auto scheme = check::scheme(
      "selective-rope",
      {{"convolution", Value(std::int64_t{0})}, {"rank", Value(std::int64_t{1})}, {"epsilon", Value(1e-30)}}, model);
  const auto rope = check::scheme("rope", {{"base", Value(500000.0)}, {"style", Value("half-split")}}, model);
  check::Scored<double> at(model, positions, positions);
  at.x.fill(0);
  for (Index n = 0; n < at.Nk(); ++n) at.x(n, 0) = 3;  // the first channel of x / |x| is 1
  host::Weights<double> ones(scheme->weights(), 1);
  for (auto& weight : ones.arrays()) weight[0].fill(1);
  auto q = at.q.copy(), k = at.k.copy();
  rope->transform<double>(at.context, host::Side::query, at.queries, {}, q);
  rope->transform<double>(at.context, host::Side::key, at.keys, {}, k);
  at.compare(
      at.logits(*scheme, ones),
      [&](Index h, Index i, Index j) {
        double sum = 0;
        for (Index c = 0; c < K; ++c) sum += q(h, i, c) * k(h, j, c);
        return at.scale * sum;
      },
      1e-13);
  const auto still = check::scheme("selective-rope", {}, model);
  const host::Weights<double> nothing(still->weights(), 1);
  CHECK(check::largest_difference(at.logits(*still, nothing), at.products()) < 1e-15);
}

TEST_CASE("selective-rope: weights by variant, claims, mask, what it refuses") {
  const auto scheme = check::scheme("selective-rope", {}, model);
  REQUIRE(scheme->weights().size() == 3);
  CHECK(scheme->weights()[0].shape == std::array<Index, 4>{16, D, 1, 1});
  CHECK(scheme->weights()[1].shape == std::array<Index, 4>{H * P, 16, 1, 1});
  CHECK(scheme->weights()[2].shape == std::array<Index, 4>{H * P, 4, 1, 1});
  CHECK(check::scheme("selective-rope", parameters(0, true), model)->weights().size() == 4);
  CHECK(scheme->score_writes_logits());
  CHECK(scheme->mask() == host::Mask::causal_only);
  CHECK(scheme->claims(POSLAB_LENGTH_FREE));
  CHECK(scheme->claims(POSLAB_BOUNDED));
  CHECK_FALSE(scheme->claims(POSLAB_RELATIVE));
  CHECK_FALSE(scheme->claims(POSLAB_CONTENT_FREE));
  CHECK_THROWS_AS(check::scheme("selective-rope", {}, {6, 2, 64}), data::Refused);
  CHECK_THROWS_WITH(check::scheme("selective-rope", {}, {6, 2, 64}), check::contains("even head width, not 3"));
}

TEST_CASE("selective-rope: gradients are those of central differences") {
  const auto [convolution, gated] = GENERATE(std::pair{4, false}, std::pair{0, true});
  check::Scored<double> at(model, {2, 3, 4}, {0, 1, 2, 3, 4}, 2);
  const auto scheme = check::scheme("selective-rope", parameters(convolution, gated), model);
  auto weights = check::random_weights(*scheme, "w");
  CHECK(check::score_gradients_hold(*scheme, at, weights));
}

TEST_CASE(
    "selective-rope: goes by the order of the tokens, whatever their positions, a query must be one of the keys") {
  const auto scheme = check::scheme("selective-rope", {}, model);
  const auto weights = check::random_weights(*scheme, "w");
  const check::Scored<double> at(model, {2, 3, 4}, positions, 2), far(model, {7, 1e6, -3}, {8, 8, 7, 1e6, -3, 0, 5}, 2);
  CHECK(check::largest_difference(at.logits(*scheme, weights), far.logits(*scheme, weights)) == 0);
  const check::Scored<double> outside(model, {6, 7}, positions, 6);
  CHECK_THROWS_WITH(outside.logits(*scheme, weights), check::contains("query 7 must be one of the 7 keys"));
}
