// SPDX-License-Identifier: Apache-2.0
#include "score_check.hpp"

using namespace poslab;
using base::Index;
using check::Value;

namespace {

constexpr Index H = 2, K = 5;
const host::Model model{H * K, H, 7};

data::Values reaching(std::int64_t M, bool share = false) {
  return {{"max_distance", Value(M)}, {"heads_share", Value(share)}};
}

const std::vector<double> queries{3, 4, 0, 8}, keys{0, 1, 2, 3, 4, 5, 6, 7, 8}, scattered{8, 0, 1e6, 4, -3};

}  // namespace

TEMPLATE_TEST_CASE("music-transformer: the query meets the vector of the distance, and nothing from M on or ahead", "",
                   float, double) {
  using S = TestType;
  const Index M = GENERATE(1, 3, 20);
  const bool share = GENERATE(false, true);
  const check::Scored<S> at(model, queries, GENERATE(keys, scattered));
  const auto scheme = check::scheme("music-transformer", reaching(M, share), model);
  const auto weights = check::random_weights<S>(*scheme, "E");
  const auto& E = weights.arrays()[0][0];
  at.compare(
      at.logits(*scheme, weights),
      [&](Index h, Index i, Index j) {
        double wanted = at.product(h, i, j);
        const double distance = at.query_at(i) - at.key_at(j);
        for (Index d = 0; d < M; ++d)
          for (Index c = 0; c < K && distance == static_cast<double>(d); ++c)
            wanted += at.scale * static_cast<double>(at.q(h, i, c)) * E(share ? 0 : h, M - 1 - d, c);
        return wanted;
      },
      100 * std::numeric_limits<S>::epsilon());
}

TEST_CASE("music-transformer: by skewing, as the paper does it") {
  // Q E^T, a column of padding before it, read as one more row: entry (i, j) is q_i . E[M - 1 - (i - j)].
  constexpr Index N = 6;
  const check::Scored<double> at(model, {0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5});
  const auto scheme = check::scheme("music-transformer", reaching(N), model);
  const auto weights = check::random_weights(*scheme, "E");
  std::vector<double> skewed;
  for (Index i = 0; i < N; ++i) {
    skewed.push_back(0);
    for (Index row = 0; row < N; ++row) {
      double met = 0;
      for (Index c = 0; c < K; ++c) met += at.q(1, i, c) * weights.arrays()[0][0](1, row, c);
      skewed.push_back(met);
    }
  }
  const auto logits = at.logits(*scheme, weights);
  for (Index i = 0; i < N; ++i)
    for (Index j = 0; j <= i; ++j)
      CHECK_THAT(
          logits(1, i, j),
          check::WithinAbs(at.product(1, i, j) + at.scale * skewed[static_cast<std::size_t>((i + 1) * N + j)], 1e-13));
}

TEST_CASE("music-transformer: weights, claims, mask") {
  const auto scheme = check::scheme("music-transformer", {}, model),
             shared = check::scheme("music-transformer", reaching(4, true), model);
  REQUIRE(scheme->weights().size() == 1);
  CHECK(scheme->weights()[0].shape == std::array<Index, 4>{H, 7, K, 1});  // as many as the trained length
  CHECK(shared->weights()[0].shape == std::array<Index, 4>{1, 4, K, 1});
  CHECK(scheme->weights()[0].second == 1 / std::sqrt(5.0));
  CHECK(scheme->weights()[0].per_layer);
  CHECK_FALSE(check::scheme("music-transformer", {{"per_layer", Value(false)}}, model)->weights()[0].per_layer);
  CHECK(scheme->mask() == host::Mask::causal_only);
  CHECK(scheme->claims(POSLAB_RELATIVE));
  CHECK(scheme->claims(POSLAB_BOUNDED));
  CHECK_FALSE(scheme->claims(POSLAB_LENGTH_FREE));  // the table has the trained length
  CHECK(shared->claims(POSLAB_LENGTH_FREE));
  CHECK_FALSE(scheme->claims(POSLAB_CONTENT_FREE));
  CHECK_THROWS_WITH(check::scheme("music-transformer", reaching(0), model), check::contains("\"max_distance\" is 0"));
}

TEST_CASE("music-transformer: gradients are those of central differences") {
  check::Scored<double> at(model, queries, scattered);
  const auto scheme = check::scheme("music-transformer", reaching(5, GENERATE(false, true)), model);
  auto weights = check::random_weights(*scheme, "E");
  CHECK(check::score_gradients_hold(*scheme, at, weights));
}
