// SPDX-License-Identifier: Apache-2.0
// Dimension letters: H heads, K head width, Nq queries, Nk keys, G group, W window.
#include "poslab/base/error.hpp"
#include "rotary_logits.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;
using rotary::context, rotary::H, rotary::K, rotary::logits, rotary::scale;

namespace {

data::Values parameters(std::int64_t group, std::int64_t window, const std::string& style = "half-split") {
  return {{"group", Value(group)}, {"window", Value(window)}, {"style", Value(style)}};
}

// The distance that q and k meet at, in whole numbers.
double distance_of(int i, int j, int G, int W) {
  if (i - j < W) return i - j;
  const auto group = [&](int p) { return p >= 0 ? p / G : -((-p + G - 1) / G); };  // rounded down
  return group(i) - group(j) + W - static_cast<double>(W) / G;
}

}  // namespace

TEMPLATE_TEST_CASE("self-extend: RoPE within the window, floored positions beyond", "", float, double) {
  using S = TestType;
  const bool halves = GENERATE(true, false);
  const auto [G, W] = GENERATE(std::pair{2, 4}, std::pair{3, 7}, std::pair{1, 5}, std::pair{8, 8}, std::pair{4, 1000});
  const auto scheme =
      check::scheme("self-extend", parameters(G, W, halves ? "half-split" : "interleaved"), {H * K, H, 512});
  const auto queries = check::positions({0, 3, 17, 39, -2}), keys = check::positions({0, 1, 5, 36, 39, -30, 2});
  const auto q = check::random<S>({H, 5, K}, "q"), k = check::random<S>({H, 7, K}, "k");
  const auto out = logits(*scheme, queries, keys, q, k);
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < 5; ++i)
      for (Index j = 0; j < 7; ++j)
        REQUIRE_THAT(static_cast<double>(out(h, i, j)),
                     check::WithinAbs(scale * rotary::product(q, k, h, i, j,
                                                              distance_of(static_cast<int>(queries(i, 0)),
                                                                          static_cast<int>(keys(j, 0)), G, W),
                                                              halves),
                                      sizeof(S) == 4 ? 1e-5 : 1e-13));
}

TEST_CASE("self-extend: no distance beyond (T - W) / G + W is met, and the border is continuous") {
  const int G = 4, W = 16, T = 400;
  double farthest = 0;
  for (int i = 0; i < T; ++i)
    for (int j = 0; j <= i; ++j) farthest = std::max(farthest, distance_of(i, j, G, W));
  CHECK(farthest == (T - W) / G + W - 1);
  CHECK(distance_of(W, 0, G, W) == W);
  CHECK(distance_of(21, 5, G, W) == W);      // the same offset ...
  CHECK(distance_of(20, 3, G, W) == W + 1);  // ... 17 = 16 + 1 here,
  CHECK(distance_of(22, 5, G, W) == W);      // but not here: it is not relative
}

TEST_CASE("self-extend: a group of 1 is RoPE") {
  const auto scheme = check::scheme("self-extend", parameters(1, 3), {H * K, H, 512}),
             rope = check::scheme("rope", {{"style", Value(std::string("half-split"))}}, {H * K, H, 512});
  const auto at = check::consecutive(12);
  const auto q = check::random({H, 12, K}, "q"), k = check::random({H, 12, K}, "k");
  Array<double> turned_q = q.copy(), turned_k = k.copy();
  rope->transform<double>(context, host::Side::query, at, {}, turned_q);
  rope->transform<double>(context, host::Side::key, at, {}, turned_k);
  const auto out = logits(*scheme, at, at, q, k);
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < 12; ++i)
      for (Index j = 0; j < 12; ++j) {
        double sum = 0;
        for (Index c = 0; c < K; ++c) sum += turned_q(h, i, c) * turned_k(h, j, c);
        CHECK_THAT(out(h, i, j), check::WithinAbs(scale * sum, 1e-13));
      }
  CHECK(scheme->claims(POSLAB_RELATIVE));
}

TEST_CASE("self-extend: queries that grow with the logarithm of their position") {
  data::Values growing = parameters(2, 4);
  growing.set("scale_base", Value(10.0));
  const auto plain = check::scheme("self-extend", parameters(2, 4), {H * K, H, 512}),
             grown = check::scheme("self-extend", growing, {H * K, H, 512});
  const auto queries = check::positions({0, 8, 9, 99}), keys = check::consecutive(5);
  const auto q = check::random({H, 4, K}, "q"), k = check::random({H, 5, K}, "k");
  const auto before = logits(*plain, queries, keys, q, k), after = logits(*grown, queries, keys, q, k);
  const double factor[] = {1, 1, 1, 2};  // ln 100 / ln 10
  for (Index i = 0; i < 4; ++i) CHECK_THAT(after(1, i, 2), check::WithinRel(factor[i] * before(1, i, 2), 1e-13));
  CHECK_FALSE(grown->claims(POSLAB_BOUNDED));
  CHECK(plain->claims(POSLAB_BOUNDED));
}

TEST_CASE("self-extend: gradients by queries and keys") {
  const auto scheme = check::scheme("self-extend", parameters(2, 4), {H * K, H, 512});
  const auto queries = check::positions({0, 3, 30}), keys = check::positions({0, 2, 28, 4});
  auto q = check::random({H, 3, K}, "q"), k = check::random({H, 4, K}, "k");
  const auto seed = check::random({H, 3, 4}, "g");
  const auto loss = [&] { return check::inner(logits(*scheme, queries, keys, q, k), seed); };
  Array<double> dq({H, 3, K}), dk({H, 4, K});
  scheme->score_gradient<double>(context, {queries, keys, 0}, {{}, q.view(), k.view(), scale}, {}, seed.view(),
                                 {{}, dq.view(), dk.view()}, {});
  CHECK(check::is_gradient(loss, q, dq, 1e-8));
  CHECK(check::is_gradient(loss, k, dk, 1e-8));
}

TEST_CASE("self-extend: what is not set comes from the model, claims and refusals") {
  const auto unset = check::scheme("self-extend", {}, {H * K, H, 100}),
             set = check::scheme("self-extend", parameters(8, 24), {H * K, H, 9999});
  const auto queries = check::positions({7, 26, 63, 200}), keys = check::consecutive(40);
  const auto q = check::random({H, 4, K}, "q"), k = check::random({H, 40, K}, "k");
  CHECK(check::largest_difference(logits(*unset, queries, keys, q, k), logits(*set, queries, keys, q, k)) == 0);
  CHECK(unset->mask() == host::Mask::causal_only);
  CHECK_FALSE(unset->claims(POSLAB_LENGTH_FREE));
  CHECK(set->claims(POSLAB_LENGTH_FREE));
  CHECK_FALSE(set->claims(POSLAB_RELATIVE));
  CHECK_FALSE(set->claims(POSLAB_CONTENT_FREE));
  CHECK_THROWS_AS(logits(*set, check::positions({0.5, 1, 2, 3}), keys, q, k), base::Error);
  CHECK_THROWS_WITH(check::scheme("self-extend", {}, {10, 2, 64}), check::contains("even head width, not 5"));
  CHECK_THROWS_AS(check::scheme("self-extend", parameters(0, 4), {H * K, H, 64}), base::Error);
}
