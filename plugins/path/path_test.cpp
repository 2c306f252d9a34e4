// SPDX-License-Identifier: Apache-2.0
#include "score_check.hpp"

using namespace poslab;
using base::Index;
using check::Value;

namespace {

constexpr Index H = 2, K = 3, D = H * K;
const host::Model model{D, H, 64};
const std::vector<double> positions{0, 1, 2, 3, 4, 5, 6};

data::Values parameters(std::int64_t rank, std::int64_t convolution, bool forget_gate = false, bool normalised = true) {
  return {{"rank", Value(rank)},
          {"convolution", Value(convolution)},
          {"forget_gate", Value(forget_gate)},
          {"normalised", Value(normalised)}};
}

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

double gate(double z) { return 1 / (1 + std::exp(-z)); }

// The weight of that name, which must exist.
template <class S>
const base::Array<S>& named(const host::Scheme& scheme, const host::Weights<S>& weights, const std::string& name) {
  for (std::size_t w = 0; w < scheme.weights().size(); ++w)
    if (scheme.weights()[w].name == name) return weights.arrays()[w][0];
  throw std::runtime_error("no weight " + name);
}

// PaTH from the formula: every matrix H_t written out, every product made again.
template <class S>
struct Naive {
  const check::Scored<S>& at;
  const host::Scheme& scheme;
  const host::Weights<S>& weights;
  bool convolution, forget_gate, normalised;

  double linear(const std::string& name, Index row, Index key) const {
    double sum = 0;
    for (Index d = 0; d < D; ++d) sum += static_cast<double>(named(scheme, weights, name)(row, d)) * at.x(key, d);
    return sum;
  }
  double projected(Index channel, Index token) const {
    const auto& up = named(scheme, weights, "up");
    double sum = 0;
    for (Index r = 0; r < up.extent(1); ++r) sum += up(channel, r) * linear("down", r, token);
    return sum;
  }
  double channel(Index c, Index token) const {
    if (!convolution) return projected(c, token);
    const auto& taps = named(scheme, weights, "taps");
    double sum = 0;
    for (Index t = 0; t < taps.extent(1); ++t)
      if (token >= t) sum += taps(c, taps.extent(1) - 1 - t) * projected(c, token - t);
    return sum * gate(sum);
  }
  Matrix step(Index h, Index token) const {
    Vector w;
    double square = normalised ? 1e-6 : 0;
    for (Index k = 0; k < K; ++k) w.push_back(channel(h * K + k, token)), square += w.back() * w.back();
    const double beta = 2 * gate(linear("strength", h, token) + named(scheme, weights, "strength_bias")(h));
    Matrix result(K, Vector(K));
    for (std::size_t a = 0; a < K; ++a)
      for (std::size_t b = 0; b < K; ++b)
        result[a][b] = (a == b ? 1 : 0) - beta * w[a] * w[b] / (normalised ? square : 1);
    return result;
  }
  double logit(Index h, Index i, Index j) const {
    if (j > at.first + i) return at.product(h, i, j);
    Matrix product(K, Vector(K));
    for (std::size_t a = 0; a < K; ++a) product[a][a] = 1;
    double forgotten = 0;
    const Index query = at.first + i;
    for (Index token = j + 1; token <= query; ++token) {  // H_i ... H_(j+1), the latest on the left
      const Matrix next = step(h, token);
      Matrix more(K, Vector(K));
      for (std::size_t a = 0; a < K; ++a)
        for (std::size_t b = 0; b < K; ++b)
          for (std::size_t c = 0; c < K; ++c) more[a][b] += next[a][c] * product[c][b];
      product = more;
      if (forget_gate) forgotten += std::log(gate(linear("gate", h, token) + named(scheme, weights, "gate_bias")(h)));
    }
    double sum = forgotten;
    for (Index a = 0; a < K; ++a)
      for (Index b = 0; b < K; ++b)
        sum += at.q(h, i, a) * product[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] * at.k(h, j, b);
    return at.scale * sum;
  }
};

}  // namespace

TEMPLATE_TEST_CASE("path: the product of the steps between key and query, matrix by matrix", "", float, double) {
  using S = TestType;
  const auto [convolution, forget_gate, normalised] = GENERATE(std::tuple{3, false, true}, std::tuple{0, false, true},
                                                               std::tuple{2, true, true}, std::tuple{0, false, false});
  const Index first = GENERATE(0, 4);
  const check::Scored<S> at(model, check::counted(first, 3), positions, first);
  const auto scheme = check::scheme("path", parameters(2, convolution, forget_gate, normalised), model);
  auto weights = check::random_weights<S>(*scheme, "w");
  if (!normalised)
    for (S& number : weights.arrays()[1][0].flat()) number *= S(0.2);
  const Naive<S> naive{at, *scheme, weights, convolution > 0, forget_gate, normalised};
  at.compare(
      at.logits(*scheme, weights), [&](Index h, Index i, Index j) { return naive.logit(h, i, j); },
      500 * std::numeric_limits<S>::epsilon());
}

TEST_CASE("path: beta 0 is no position, beta 2 reflects and keeps lengths, between them nothing grows") {
  const auto scheme = check::scheme("path", parameters(4, 3), model);
  auto weights = check::random_weights(*scheme, "w");
  check::Scored<double> at(model, positions, positions);
  for (const double strength : {-800.0, 0.0, 800.0}) {
    weights.arrays()[2][0].fill(0), weights.arrays()[3][0].fill(strength);
    const auto logits = at.logits(*scheme, weights), products = at.products();
    if (strength < 0) CHECK(check::largest_difference(logits, products) < 1e-15);
    for (Index i = 0; i < 7; ++i) CHECK_THAT(logits(1, i, i), check::WithinAbs(products(1, i, i), 1e-14));

    // The channels of q_6^T H_6 ... H_(j+1), by unit vectors as the keys of position j.
    for (Index j = 0; j < 7; ++j) {
      double square = 0, before = 0;
      for (Index c = 0; c < K; ++c) {
        check::Scored<double> unit(model, {6}, positions, 6, 1);
        unit.k.fill(0), unit.k(0, j, c) = 1;
        const double channel = unit.logits(*scheme, weights)(0, 0, j);
        square += channel * channel, before += unit.q(0, 0, c) * unit.q(0, 0, c);
      }
      CHECK(square <= before * (1 + 1e-12));
      // |H w| is |w| up to the epsilon in the length of w.
      if (strength > 0) CHECK_THAT(square, check::WithinAbs(before, 1e-3 * before));
      if (strength == 0 && j < 6) CHECK(square < before);
    }
  }
}

TEST_CASE("path: weights by variant, claims, mask") {
  const auto scheme = check::scheme("path", {}, model), all = check::scheme("path", parameters(4, 0, true), model);
  std::vector<std::string> names;
  for (const auto& weight : scheme->weights()) names.push_back(weight.name);
  CHECK(names == std::vector<std::string>{"down", "up", "strength", "strength_bias", "taps"});
  CHECK(scheme->weights()[0].shape == std::array<Index, 4>{32, D, 1, 1});
  CHECK(scheme->weights()[1].shape == std::array<Index, 4>{D, 32, 1, 1});
  CHECK(scheme->weights()[4].shape == std::array<Index, 4>{D, 3, 1, 1});
  CHECK(all->weights()[4].name == "gate");
  CHECK(all->weights()[0].per_layer);
  CHECK(scheme->score_writes_logits());
  CHECK(scheme->mask() == host::Mask::causal_only);
  CHECK(scheme->claims(POSLAB_BOUNDED));
  CHECK_FALSE(all->claims(POSLAB_BOUNDED));
  CHECK_FALSE(check::scheme("path", parameters(4, 0, false, false), model)->claims(POSLAB_BOUNDED));
  CHECK(scheme->claims(POSLAB_LENGTH_FREE));
  CHECK_FALSE(scheme->claims(POSLAB_RELATIVE));
  CHECK_FALSE(scheme->claims(POSLAB_CONTENT_FREE));
}

TEST_CASE("path: gradients are those of central differences") {
  const auto [convolution, forget_gate] = GENERATE(std::pair{3, false}, std::pair{0, true});
  check::Scored<double> at(model, {2, 3, 4}, {0, 1, 2, 3, 4}, 2);
  const auto scheme = check::scheme("path", parameters(2, convolution, forget_gate), model);
  auto weights = check::random_weights(*scheme, "w");
  CHECK(check::score_gradients_hold(*scheme, at, weights));
}

TEST_CASE("path: goes by the order of the tokens, whatever their positions, a query must be one of the keys") {
  const auto scheme = check::scheme("path", {}, model);
  const auto weights = check::random_weights(*scheme, "w");
  const check::Scored<double> at(model, {2, 3, 4}, positions, 2), far(model, {7, 1e6, -3}, {8, 8, 7, 1e6, -3, 0, 5}, 2);
  CHECK(check::largest_difference(at.logits(*scheme, weights), far.logits(*scheme, weights)) == 0);
  const check::Scored<double> outside(model, {6, 7}, positions, 6);
  CHECK_THROWS_WITH(outside.logits(*scheme, weights), check::contains("query 7 must be one of the 7 keys"));
}
