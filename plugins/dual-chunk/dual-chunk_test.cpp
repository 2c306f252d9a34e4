// SPDX-License-Identifier: Apache-2.0
// Dimension letters: H heads, K head width, C chunk size, L local size, s = C - L.
#include "poslab/base/error.hpp"
#include "rotary_logits.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;
using rotary::context, rotary::H, rotary::K, rotary::logits, rotary::scale;

namespace {

data::Values parameters(std::int64_t C, std::int64_t L, const std::string& style = "half-split") {
  return {{"chunk_size", Value(C)}, {"local_size", Value(L)}, {"style", Value(style)}};
}

// The distance that q and k meet at.
double distance_of(int i, int j, int C, int L) {
  const int s = C - L;
  const auto chunk = [&](int p) { return p >= 0 ? p / s : -((-p + s - 1) / s); };  // rounded down
  const int within = i - s * chunk(i), key = j - s * chunk(j), back = chunk(i) - chunk(j);
  return (back <= 0 ? within : back == 1 ? std::min(within + s, C) : std::min(2 * s - 1, C)) - key;
}

}  // namespace

TEMPLATE_TEST_CASE("dual-chunk: RoPE at the distances of its chunks", "", float, double) {
  using S = TestType;
  const bool halves = GENERATE(true, false);
  const auto [C, L] = GENERATE(std::pair{8, 3}, std::pair{6, 0}, std::pair{7, 6}, std::pair{1000, 10});
  const auto scheme =
      check::scheme("dual-chunk", parameters(C, L, halves ? "half-split" : "interleaved"), {H * K, H, 512});
  const auto queries = check::positions({0, 3, 17, 39, -2}), keys = check::positions({0, 1, 5, 36, 39, -30, 2});
  const auto q = check::random<S>({H, 5, K}, "q"), k = check::random<S>({H, 7, K}, "k");
  const auto out = logits(*scheme, queries, keys, q, k);
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < 5; ++i)
      for (Index j = 0; j < 7; ++j)
        REQUIRE_THAT(static_cast<double>(out(h, i, j)),
                     check::WithinAbs(scale * rotary::product(q, k, h, i, j,
                                                              distance_of(static_cast<int>(queries(i, 0)),
                                                                          static_cast<int>(keys(j, 0)), C, L),
                                                              halves),
                                      sizeof(S) == 4 ? 1e-5 : 1e-13));
}

TEST_CASE("dual-chunk: no distance is beyond C, and keys up to L behind are met at theirs") {
  const int C = 24, L = 7, T = 300;
  for (int i = 0; i < T; ++i)
    for (int j = 0; j <= i; ++j) {
      const double distance = distance_of(i, j, C, L);
      REQUIRE((distance >= 0 && distance <= C));
      if (i - j <= L || i < C - L) REQUIRE(distance == i - j);
      REQUIRE(distance <= i - j);
    }
  CHECK(distance_of(40, 20, C, L) == 20);  // 6 into its chunk, within L: the chunk before at its distance
  CHECK(distance_of(50, 20, C, L) == 21);  // 16 into it: from C
  CHECK(distance_of(60, 3, C, L) == distance_of(290, 3, C, L));
}

TEST_CASE("dual-chunk: logits grow with the length of the context, once or squared") {
  auto of = [](const std::string& temperature) {
    auto values = parameters(8, 3);
    values.set("temperature", Value(temperature));
    if (temperature != "none") values.set("original_length", Value(std::int64_t{10}));
    return check::scheme("dual-chunk", values, {H * K, H, 512});
  };
  const auto positions = check::consecutive(6);
  const auto q = check::random({H, 6, K}, "q"), k = check::random({H, 6, K}, "k");
  const auto plain = logits(*of("none"), positions, positions, q, k);  // in a context of 40
  const double t = 0.1 * std::log(4.0) + 1;
  for (const auto& [temperature, factor] : {std::pair{"keys", t}, std::pair{"both", t * t}}) {
    const auto scheme = of(temperature);
    const auto grown = logits(*scheme, positions, positions, q, k);
    for (Index i = 0; i < grown.size(); ++i)
      CHECK_THAT(grown.data()[i], check::WithinRel(factor * plain.data()[i], 1e-13));
    Array<double> shorter({H, 6, 6});
    scheme->score<double>({10, 512, true}, {positions, positions, 0}, {{}, q.view(), k.view(), scale}, {}, shorter);
    CHECK(check::largest_difference(shorter, plain) == 0);
    CHECK_FALSE(scheme->claims(POSLAB_LENGTH_FREE));
    CHECK_FALSE(scheme->claims(POSLAB_BOUNDED));
  }
}

TEST_CASE("dual-chunk: gradients by queries and keys") {
  auto values = parameters(8, 3);
  values.set("temperature", Value(std::string("both")));
  values.set("original_length", Value(std::int64_t{10}));
  const auto scheme = check::scheme("dual-chunk", values, {H * K, H, 512});
  const auto queries = check::positions({2, 7, 30}), keys = check::positions({0, 2, 28, 4, 24});
  auto q = check::random({H, 3, K}, "q"), k = check::random({H, 5, K}, "k");
  const auto seed = check::random({H, 3, 5}, "g");
  const auto loss = [&] { return check::inner(logits(*scheme, queries, keys, q, k), seed); };
  Array<double> dq({H, 3, K}), dk({H, 5, K});
  scheme->score_gradient<double>(context, {queries, keys, 0}, {{}, q.view(), k.view(), scale}, {}, seed.view(),
                                 {{}, dq.view(), dk.view()}, {});
  CHECK(check::is_gradient(loss, q, dq, 1e-8));
  CHECK(check::is_gradient(loss, k, dk, 1e-8));
}

TEST_CASE("dual-chunk: what is not set comes from the model, claims and refusals") {
  const auto unset = check::scheme("dual-chunk", {}, {H * K, H, 64}),
             set = check::scheme("dual-chunk", parameters(48, 4), {H * K, H, 9999});
  const auto queries = check::positions({7, 46, 93, 200}), keys = check::consecutive(60);
  const auto q = check::random({H, 4, K}, "q"), k = check::random({H, 60, K}, "k");
  CHECK(check::largest_difference(logits(*unset, queries, keys, q, k), logits(*set, queries, keys, q, k)) == 0);
  CHECK(unset->mask() == host::Mask::causal_only);
  CHECK_FALSE(unset->claims(POSLAB_LENGTH_FREE));
  CHECK(set->claims(POSLAB_LENGTH_FREE));
  CHECK(set->claims(POSLAB_BOUNDED));
  CHECK_FALSE(set->claims(POSLAB_RELATIVE));
  CHECK_THROWS_AS(logits(*set, check::positions({0.5, 1, 2, 3}), keys, q, k), base::Error);
  CHECK_THROWS_WITH(check::scheme("dual-chunk", parameters(8, 8), {H * K, H, 64}), check::contains("8 must exceed 8"));
  CHECK_THROWS_WITH(check::scheme("dual-chunk", {{"original_length", Value(std::int64_t{4})}}, {H * K, H, 64}),
                    check::contains("belongs to a temperature"));
  CHECK_THROWS_WITH(check::scheme("dual-chunk", {}, {10, 2, 64}), check::contains("even head width, not 5"));
}
