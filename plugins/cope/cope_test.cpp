// SPDX-License-Identifier: Apache-2.0
#include "score_check.hpp"

using namespace poslab;
using base::Index;
using check::Value;

namespace {

constexpr Index H = 2, K = 3;
const host::Model model{H * K, H, 64};

data::Values counting(std::int64_t P) { return {{"max_positions", Value(P)}}; }

double gate(double logit) { return 1 / (1 + std::exp(-logit)); }

// q_i . e[p], p between the rows.
template <class S>
double met(const check::Scored<S>& at, const host::Weights<S>& weights, Index h, Index i, double p) {
  const auto& e = weights.arrays()[0][0];
  const auto asked = [&](double n) {
    double sum = 0;
    for (Index c = 0; c < K; ++c) sum += static_cast<double>(at.q(h, i, c)) * e(static_cast<Index>(n), c);
    return sum;
  };
  p = std::min(p, static_cast<double>(e.extent(0) - 1));
  return (p - std::floor(p)) * asked(std::ceil(p)) + (1 - p + std::floor(p)) * asked(std::floor(p));
}

const std::vector<double> positions{0, 1, 2, 3, 4, 5, 6};

}  // namespace

TEMPLATE_TEST_CASE("cope: the count of gates back to the key has a vector that the query meets", "", float, double) {
  using S = TestType;
  const Index P = GENERATE(2, 4, 16);
  const Index first = GENERATE(0, 4);
  const check::Scored<S> at(model, check::counted(first, 3), positions, first);
  const auto scheme = check::scheme("cope", counting(P), model);
  const auto weights = check::random_weights<S>(*scheme, "e");
  at.compare(
      at.logits(*scheme, weights),
      [&](Index h, Index i, Index j) {
        if (at.key_at(j) > at.query_at(i)) return at.product(h, i, j);
        double count = 0;
        for (Index l = 0; l < at.Nk(); ++l)
          if (at.key_at(l) >= at.key_at(j) && at.key_at(l) <= at.query_at(i)) count += gate(at.product(h, i, l));
        return at.product(h, i, j) + met(at, weights, h, i, count);
      },
      100 * std::numeric_limits<S>::epsilon());
}

TEST_CASE("cope: with gates of 1 it counts i - j + 1, the last vector serves from P - 1 on, none of it looks ahead") {
  constexpr Index P = 4;
  check::Scored<double> at(model, positions, positions);
  const auto scheme = check::scheme("cope", counting(P), model);
  const auto weights = check::random_weights(*scheme, "e");
  host::Tile tile = at.tile();
  base::Array<double> logits({H, 7, 7});
  logits.fill(100);  // the sigmoid of which is 1
  scheme->score<double>(at.context, tile, {{}, at.q, at.k, at.scale}, weights.layer(0), logits);
  for (Index i = 0; i < 7; ++i)
    for (Index j = 0; j < 7; ++j)
      CHECK_THAT(logits(1, i, j) - 100,
                 check::WithinAbs(j > i ? 0 : met(at, weights, 1, i, static_cast<double>(i - j + 1)), 1e-12));

  const auto before = at.logits(*scheme, weights);
  for (Index c = 0; c < K; ++c) at.k(0, 5, c) += 10, at.k(1, 5, c) -= 10;
  const auto after = at.logits(*scheme, weights);
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < 5; ++i)
      for (Index j = 0; j <= i; ++j) CHECK(before(h, i, j) == after(h, i, j));
}

TEST_CASE("cope: starts as no position at all, weights, claims, mask") {
  const auto scheme = check::scheme("cope", {}, model);
  const check::Scored<double> at(model, positions, positions);
  const host::Weights<double> zeros(scheme->weights(), 1);
  CHECK(check::largest_difference(at.logits(*scheme, zeros), at.products()) == 0);
  REQUIRE(scheme->weights().size() == 1);
  CHECK(scheme->weights()[0].shape == std::array<Index, 4>{64, K, 1, 1});
  CHECK(scheme->weights()[0].second == 0);
  CHECK(scheme->weights()[0].per_layer);
  CHECK(scheme->mask() == host::Mask::causal_only);
  CHECK(scheme->claims(POSLAB_LENGTH_FREE));
  CHECK(scheme->claims(POSLAB_BOUNDED));
  CHECK_FALSE(scheme->claims(POSLAB_RELATIVE));  // what lies between counts
  CHECK_FALSE(scheme->claims(POSLAB_CONTENT_FREE));
  CHECK_THROWS_WITH(check::scheme("cope", counting(1), model), check::contains("\"max_positions\" is 1"));
}

TEST_CASE("cope: gradients are those of central differences, through the gates as well") {
  check::Scored<double> at(model, {2, 3, 4}, positions, 2);
  const auto scheme = check::scheme("cope", counting(4), model);
  auto weights = check::random_weights(*scheme, "e");
  CHECK(check::score_gradients_hold(*scheme, at, weights));
}

TEST_CASE("cope: goes by the order of the tokens, whatever their positions, a query must be one of the keys") {
  const auto scheme = check::scheme("cope", {}, model);
  const auto weights = check::random_weights(*scheme, "w");
  const check::Scored<double> at(model, {2, 3, 4}, positions, 2), far(model, {7, 1e6, -3}, {8, 8, 7, 1e6, -3, 0, 5}, 2);
  CHECK(check::largest_difference(at.logits(*scheme, weights), far.logits(*scheme, weights)) == 0);
  const check::Scored<double> outside(model, {6, 7}, positions, 6);
  CHECK_THROWS_WITH(outside.logits(*scheme, weights), check::contains("query 7 must be one of the 7 keys"));
}
