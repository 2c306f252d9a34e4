// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/error.hpp"
#include "score_check.hpp"

using namespace poslab;
using base::Index;
using check::Value;

namespace {

constexpr Index H = 2, K = 3, D = H * K;
const host::Model model{D, H, 64};
const std::vector<double> positions{0, 1, 2, 3, 4, 5, 6};

double gate(double z) { return 1 / (1 + std::exp(-z)); }

// The forget gate of the token at key l.
template <class S>
double gate_of(const check::Scored<S>& at, const host::Weights<S>& weights, Index h, Index l) {
  double z = weights.arrays()[1][0](h);
  for (Index d = 0; d < D; ++d) z += static_cast<double>(weights.arrays()[0][0](h, d)) * at.x(l, d);
  return gate(z);
}

}  // namespace

TEMPLATE_TEST_CASE("fox: the logarithms of the gates after the key, up to the query, are added", "", float, double) {
  using S = TestType;
  const Index first = GENERATE(0, 4);
  const check::Scored<S> at(model, check::counted(first, 3), positions, first);
  const auto scheme = check::scheme("fox", {}, model);
  const auto weights = check::random_weights<S>(*scheme, "w");
  at.compare(
      at.logits(*scheme, weights),
      [&](Index h, Index i, Index j) {
        double wanted = at.product(h, i, j);
        const double low = std::min(at.query_at(i), at.key_at(j)), high = std::max(at.query_at(i), at.key_at(j));
        for (Index l = 0; l < at.Nk(); ++l)
          if (at.key_at(l) > low && at.key_at(l) <= high)
            wanted += (at.key_at(j) > at.query_at(i) ? -1 : 1) * std::log(gate_of(at, weights, h, l));
        return wanted;
      },
      200 * std::numeric_limits<S>::epsilon());
}

TEST_CASE("fox: a constant gate f is ALiBi with slope -ln f, it adds up along the way") {
  const auto scheme = check::scheme("fox", {}, model);
  host::Weights<double> weights(scheme->weights(), 1);
  weights.arrays()[1][0](0) = 0, weights.arrays()[1][0](1) = 800;  // gates of 1/2 and of 1
  const check::Scored<double> at(model, positions, positions);
  at.compare(
      at.logits(*scheme, weights),
      [&](Index h, Index i, Index j) {
        return at.product(h, i, j) - (h == 0 ? std::log(2.0) * static_cast<double>(i - j) : 0);
      },
      1e-14);

  const auto drawn = check::random_weights(*scheme, "w");
  auto bias = at.logits(*scheme, drawn);
  const auto products = at.products();
  for (Index i = 0; i < bias.size(); ++i) bias.data()[i] -= products.data()[i];
  for (Index i = 0; i < 7; ++i)
    for (Index l = 0; l <= i; ++l)
      for (Index j = 0; j <= l; ++j) {
        CHECK(bias(0, i, j) <= 1e-14);
        CHECK_THAT(bias(0, i, j), check::WithinAbs(bias(0, i, l) + bias(0, l, j), 1e-13));
        if (j > 0) CHECK(bias(0, i, j - 1) <= bias(0, i, j) + 1e-14);
      }
}

TEST_CASE("fox: a tile of one query says the same") {
  const auto scheme = check::scheme("fox", {}, model);
  const auto weights = check::random_weights(*scheme, "w");
  const check::Scored<double> all(model, positions, positions), one(model, {4}, positions, 4);
  const auto row = one.logits(*scheme, weights), logits = all.logits(*scheme, weights), without = one.products(),
             products = all.products();
  for (Index j = 0; j < 7; ++j)
    CHECK_THAT(row(1, 0, j) - without(1, 0, j), check::WithinAbs(logits(1, 4, j) - products(1, 4, j), 1e-14));
}

TEST_CASE("fox: weights, claims, mask, and the layer's input that it needs") {
  const auto scheme = check::scheme("fox", {{"initial_bias", Value(5.0)}}, model);
  REQUIRE(scheme->weights().size() == 2);
  CHECK(scheme->weights()[0].shape == std::array<Index, 4>{H, D, 1, 1});
  CHECK(scheme->weights()[0].second == 0.02);  // as the authors begin
  CHECK(scheme->weights()[1].first == 5);
  CHECK(scheme->weights()[1].per_layer);
  CHECK(scheme->mask() == host::Mask::causal_only);
  CHECK(scheme->claims(POSLAB_LENGTH_FREE));
  CHECK_FALSE(scheme->claims(POSLAB_RELATIVE));  // what lies between counts
  CHECK_FALSE(scheme->claims(POSLAB_BOUNDED));
  CHECK_FALSE(scheme->claims(POSLAB_CONTENT_FREE));
  check::Scored<double> at(model, positions, positions);
  at.x = {};
  CHECK_THROWS_WITH(at.logits(*scheme, check::random_weights(*scheme, "w")), check::contains("layer's input"));
}

TEST_CASE("fox: gradients are those of central differences") {
  check::Scored<double> at(model, {2, 3, 4}, positions, 2);
  const auto scheme = check::scheme("fox", {}, model);
  auto weights = check::random_weights(*scheme, "w");
  CHECK(check::score_gradients_hold(*scheme, at, weights));
}

TEST_CASE("fox: goes by the order of the tokens, whatever their positions, a query must be one of the keys") {
  const auto scheme = check::scheme("fox", {}, model);
  const auto weights = check::random_weights(*scheme, "w");
  const check::Scored<double> at(model, {2, 3, 4}, positions, 2), far(model, {7, 1e6, -3}, {8, 8, 7, 1e6, -3, 0, 5}, 2);
  CHECK(check::largest_difference(at.logits(*scheme, weights), far.logits(*scheme, weights)) == 0);
  const check::Scored<double> outside(model, {6, 7}, positions, 6);
  CHECK_THROWS_WITH(outside.logits(*scheme, weights), check::contains("query 7 must be one of the 7 keys"));
}

TEMPLATE_TEST_CASE("fox, bidirectional: keys after the query are forgotten by gates of their own", "", float, double) {
  using S = TestType;
  const Index first = GENERATE(0, 4);
  const check::Scored<S> at(model, check::counted(first, 3), positions, first);
  const auto scheme = check::scheme("fox", {{"bidirectional", Value(true)}}, model);
  const auto weights = check::random_weights<S>(*scheme, "w");
  CHECK(scheme->weights()[0].shape == std::array<Index, 4>{2 * H, D, 1, 1});
  CHECK(scheme->mask() == host::Mask::bidirectional_only);
  at.compare(
      at.logits(*scheme, weights),
      [&](Index h, Index i, Index j) {
        double wanted = at.product(h, i, j);
        const double query = at.query_at(i), key = at.key_at(j);
        for (Index l = 0; l < at.Nk(); ++l) {
          if (at.key_at(l) > key && at.key_at(l) <= query) wanted += std::log(gate_of(at, weights, h, l));
          if (at.key_at(l) > query && at.key_at(l) <= key) wanted += std::log(gate_of(at, weights, H + h, l));
        }
        return wanted;
      },
      200 * std::numeric_limits<S>::epsilon());
}

TEST_CASE("fox, bidirectional: gradients are those of central differences") {
  check::Scored<double> at(model, {2, 3, 4}, positions, 2);
  const auto scheme = check::scheme("fox", {{"bidirectional", Value(true)}}, model);
  auto weights = check::random_weights(*scheme, "w");
  CHECK(check::score_gradients_hold(*scheme, at, weights));
}
