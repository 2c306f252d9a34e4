// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/error.hpp"
#include "score_check.hpp"

using namespace poslab;
using base::Index;
using check::Value;

namespace {

constexpr Index H = 2, K = 3, D = H * K, B = 4;
const host::Model model{D, H, 64};

data::Values parameters(std::int64_t M) { return {{"basis", Value(std::int64_t{B})}, {"max_distance", Value(M)}}; }

}  // namespace

TEMPLATE_TEST_CASE("relative-projection: every query mixes its bias from the bank", "", float, double) {
  using S = TestType;
  const Index M = GENERATE(1, 3, 20);
  const bool consecutive = GENERATE(true, false);
  const check::Scored<S> at = consecutive ? check::Scored<S>(model, {3, 4, 5}, {0, 1, 2, 3, 4, 5, 6}, 3)
                                          : check::Scored<S>(model, {1e6, 4, 2}, {0, 6, 1e6, 4, 2}, 2);
  const auto scheme = check::scheme("relative-projection", parameters(M), model);
  const auto weights = check::random_weights<S>(*scheme, "w");
  at.compare(
      at.logits(*scheme, weights),
      [&](Index h, Index i, Index j) {
        const double distance = at.query_at(i) - at.key_at(j);
        double bias = 0;
        for (Index b = 0; b < B && distance >= 0 && distance < static_cast<double>(M); ++b) {
          double share = weights.arrays()[1][0](h * B + b);
          for (Index d = 0; d < D; ++d)
            share += static_cast<double>(weights.arrays()[0][0](h * B + b, d)) * at.x(at.first + i, d);
          bias += share * weights.arrays()[2][0](b, static_cast<Index>(distance));
        }
        return at.product(h, i, j) + bias;
      },
      200 * std::numeric_limits<S>::epsilon());
}

TEST_CASE("relative-projection: the same content at another position has the same bias, other content another") {
  const auto scheme = check::scheme("relative-projection", parameters(8), model);
  const auto weights = check::random_weights(*scheme, "w");
  check::Scored<double> at(model, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4});
  at.q.fill(0);
  for (Index d = 0; d < D; ++d) at.x(3, d) = at.x(2, d);
  const auto bias = at.logits(*scheme, weights);
  CHECK(bias(1, 3, 1) == bias(1, 2, 0));
  CHECK(bias(1, 3, 3) == bias(1, 2, 2));
  CHECK(bias(1, 4, 2) != bias(1, 3, 1));
  CHECK(bias(1, 2, 4) == 0);
}

TEST_CASE("relative-projection: weights, claims, mask, what it refuses") {
  const auto scheme = check::scheme("relative-projection", {}, model);
  REQUIRE(scheme->weights().size() == 3);
  CHECK(scheme->weights()[0].shape == std::array<Index, 4>{H * 16, D, 1, 1});
  CHECK(scheme->weights()[2].shape == std::array<Index, 4>{16, 1024, 1, 1});
  CHECK(scheme->weights()[0].second == 1 / std::sqrt(6.0));
  CHECK(scheme->weights()[2].second == 0.02);
  CHECK(scheme->weights()[0].per_layer);
  CHECK(scheme->mask() == host::Mask::causal_only);
  CHECK(scheme->claims(POSLAB_RELATIVE));
  CHECK(scheme->claims(POSLAB_BOUNDED));
  CHECK(scheme->claims(POSLAB_LENGTH_FREE));
  CHECK_FALSE(scheme->claims(POSLAB_CONTENT_FREE));
  const auto weights = check::random_weights(*scheme, "w");
  CHECK_THROWS_WITH(check::Scored<double>(model, {3, 4}, {0, 1, 2, 3}, 3).logits(*scheme, weights),
                    check::contains("3 .. 4 must be among the 4 keys"));
  CHECK_THROWS_WITH(check::scheme("relative-projection", parameters(0), model),
                    check::contains("\"max_distance\" is 0"));
}

TEST_CASE("relative-projection: gradients are those of central differences") {
  check::Scored<double> at(model, {1e6, 4, 2}, {0, 6, 1e6, 4, 2}, 2);
  const auto scheme = check::scheme("relative-projection", parameters(GENERATE(3, 8)), model);
  auto weights = check::random_weights(*scheme, "w");
  CHECK(check::score_gradients_hold(*scheme, at, weights));
}
