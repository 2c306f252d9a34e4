// SPDX-License-Identifier: Apache-2.0
#include "score_check.hpp"

using namespace poslab;
using base::Index;
using check::Value;

namespace {

constexpr Index H = 3, K = 2, D = H * K;
const host::Model model{D, H, 64};
const std::vector<double> positions{0, 1, 2, 3, 4, 5, 6};

}  // namespace

TEMPLATE_TEST_CASE("cable: the steps after the key, up to the query, are taken off", "", float, double) {
  using S = TestType;
  const Index first = GENERATE(0, 4);
  const check::Scored<S> at(model, check::counted(first, 3), positions, first);
  const auto scheme = check::scheme("cable", {}, model);
  const auto weights = check::random_weights<S>(*scheme, "w");
  const auto way = [&](Index h, double position) {  // up to a position, from the first token
    double sum = 0;
    for (Index l = 0; l < at.Nk(); ++l) {
      if (at.key_at(l) > position) continue;
      double z = weights.arrays()[1][0](h);
      for (Index d = 0; d < D; ++d) z += static_cast<double>(weights.arrays()[0][0](h, d)) * at.x(l, d);
      sum += std::log(1 + std::exp(z));
    }
    return sum;
  };
  at.compare(
      at.logits(*scheme, weights),
      [&](Index h, Index i, Index j) { return at.product(h, i, j) - way(h, at.query_at(i)) + way(h, at.key_at(j)); },
      200 * std::numeric_limits<S>::epsilon());
}

TEST_CASE("cable: is fox with the gate's sign turned round") {
  const check::Scored<double> at(model, positions, positions);
  const auto cable = check::scheme("cable", {}, model), fox = check::scheme("fox", {}, model);
  const auto weights = check::random_weights(*cable, "w");
  host::Weights<double> turned(fox->weights(), 1);
  for (std::size_t w = 0; w < 2; ++w)
    for (Index i = 0; i < turned.arrays()[w][0].size(); ++i)
      turned.arrays()[w][0].data()[i] = -weights.arrays()[w][0].data()[i];
  CHECK(check::largest_difference(at.logits(*cable, weights), at.logits(*fox, turned)) < 1e-13);
}

TEST_CASE("cable: at the start of weights of zero it is ALiBi with slope ln 2, large and small inputs stay finite") {
  const auto scheme = check::scheme("cable", {}, model);
  const host::Weights<double> zeros(scheme->weights(), 1);
  check::Scored<double> at(model, positions, positions);
  at.compare(
      at.logits(*scheme, zeros),
      [&](Index h, Index i, Index j) { return at.product(h, i, j) - std::log(2.0) * static_cast<double>(i - j); },
      1e-14);
  for (double& number : at.x.flat()) number *= 1e5;
  const auto weights = check::random_weights(*scheme, "w");
  const auto logits = at.logits(*scheme, weights);
  for (const double logit : logits.flat()) CHECK(std::isfinite(logit));
}

TEST_CASE("cable: scale, weights, claims, mask") {
  const auto scheme = check::scheme("cable", {}, model),
             bare = check::scheme("cable", {{"scaled", Value(false)}}, model);
  CHECK(scheme->logit_scale() == 1 / std::sqrt(2.0));
  CHECK(bare->logit_scale() == 1);
  REQUIRE(scheme->weights().size() == 2);
  CHECK(scheme->weights()[0].shape == std::array<Index, 4>{H, D, 1, 1});
  CHECK(scheme->weights()[0].second == 0.02);
  CHECK(scheme->weights()[0].per_layer);
  CHECK(scheme->mask() == host::Mask::causal_only);
  CHECK(scheme->claims(POSLAB_LENGTH_FREE));
  CHECK_FALSE(scheme->claims(POSLAB_RELATIVE));
  CHECK_FALSE(scheme->claims(POSLAB_BOUNDED));
  CHECK_FALSE(scheme->claims(POSLAB_CONTENT_FREE));
}

TEST_CASE("cable: gradients are those of central differences") {
  check::Scored<double> at(model, {2, 3, 4}, positions, 2);
  const auto scheme = check::scheme("cable", {}, model);
  auto weights = check::random_weights(*scheme, "w");
  CHECK(check::score_gradients_hold(*scheme, at, weights));
}

TEST_CASE("cable: goes by the order of the tokens, whatever their positions, a query must be one of the keys") {
  const auto scheme = check::scheme("cable", {}, model);
  const auto weights = check::random_weights(*scheme, "w");
  const check::Scored<double> at(model, {2, 3, 4}, positions, 2), far(model, {7, 1e6, -3}, {8, 8, 7, 1e6, -3, 0, 5}, 2);
  CHECK(check::largest_difference(at.logits(*scheme, weights), far.logits(*scheme, weights)) == 0);
  const check::Scored<double> outside(model, {6, 7}, positions, 6);
  CHECK_THROWS_WITH(outside.logits(*scheme, weights), check::contains("query 7 must be one of the 7 keys"));
}
