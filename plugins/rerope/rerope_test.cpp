// SPDX-License-Identifier: Apache-2.0
// Dimension letters: H heads, K head width, Nq queries, Nk keys.
#include "poslab/base/error.hpp"
#include "rotary_logits.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;
using rotary::context, rotary::H, rotary::K, rotary::logits, rotary::scale;

namespace {

data::Values parameters(std::int64_t window, std::int64_t training_length, bool log_scale = true,
                        const std::string& style = "half-split") {
  return {{"window", Value(window)},
          {"training_length", Value(training_length)},
          {"log_scale", Value(log_scale)},
          {"style", Value(style)}};
}

}  // namespace

TEMPLATE_TEST_CASE("rerope: RoPE within the window, the window's distance beyond, queries that grow", "", float,
                   double) {
  using S = TestType;
  const bool halves = GENERATE(true, false), log_scale = GENERATE(true, false);
  const std::int64_t window = GENERATE(1, 3, 100);
  const auto scheme =
      check::scheme("rerope", parameters(window, 5, log_scale, halves ? "half-split" : "interleaved"), {H * K, H, 512});
  const auto queries = check::positions({0, 3, 4, 39, 7.5, -2}), keys = check::positions({0, 1, 5, 36, 39, 4.5, 2});
  const auto q = check::random<S>({H, 6, K}, "q"), k = check::random<S>({H, 7, K}, "k");
  const auto out = logits(*scheme, queries, keys, q, k);
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < 6; ++i)
      for (Index j = 0; j < 7; ++j) {
        const double p = queries(i, 0), offset = p - keys(j, 0);
        const double distance = std::abs(offset) < static_cast<double>(window) ? offset : static_cast<double>(window);
        const double growth = log_scale && p > 4 ? std::log(p + 1) / std::log(5) : 1;
        REQUIRE_THAT(static_cast<double>(out(h, i, j)),
                     check::WithinAbs(scale * growth * rotary::product(q, k, h, i, j, distance, halves),
                                      sizeof(S) == 4 ? 1e-5 : 1e-13));
      }
}

TEST_CASE("rerope: all distances from the window on give one logit, and without growth shifts change nothing") {
  const auto scheme = check::scheme("rerope", parameters(4, 512, false), {H * K, H, 512});
  const auto q = check::random({H, 1, K}, "q"), one = check::random({H, 1, K}, "k");
  Array<double> k({H, 4, K});
  for (Index h = 0; h < H; ++h)
    for (Index j = 0; j < 4; ++j)
      for (Index c = 0; c < K; ++c) k(h, j, c) = one(h, 0, c);
  const auto here = logits(*scheme, check::positions({100}), check::positions({96, 95, 0, 97}), q, k),
             there = logits(*scheme, check::positions({5100}), check::positions({5096, 5095, 5000, 5097}), q, k);
  CHECK(here(0, 0, 0) == here(0, 0, 1));
  CHECK(here(0, 0, 1) == here(0, 0, 2));
  CHECK(here(0, 0, 2) != here(0, 0, 3));
  CHECK(check::largest_difference(here, there) < 1e-11);
}

TEST_CASE("rerope: gradients by queries and keys") {
  const auto scheme = check::scheme("rerope", parameters(3, 5), {H * K, H, 512});
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

TEST_CASE("rerope: what is not set comes from the model, claims and refusals") {
  const auto unset = check::scheme("rerope", {}, {H * K, H, 64}),
             set = check::scheme("rerope", parameters(8, 64), {H * K, H, 9999});
  const auto queries = check::positions({7, 8, 63, 200}), keys = check::consecutive(40);
  const auto q = check::random({H, 4, K}, "q"), k = check::random({H, 40, K}, "k");
  CHECK(check::largest_difference(logits(*unset, queries, keys, q, k), logits(*set, queries, keys, q, k)) == 0);
  CHECK(unset->score_writes_logits());
  CHECK(unset->mask() == host::Mask::causal_only);
  CHECK_FALSE(unset->claims(POSLAB_LENGTH_FREE));
  CHECK(set->claims(POSLAB_LENGTH_FREE));
  CHECK_FALSE(set->claims(POSLAB_RELATIVE));
  CHECK_FALSE(set->claims(POSLAB_BOUNDED));
  CHECK_FALSE(set->claims(POSLAB_CONTENT_FREE));
  const auto constant = check::scheme("rerope", parameters(8, 64, false), {H * K, H, 64});
  CHECK(constant->claims(POSLAB_RELATIVE));
  CHECK(constant->claims(POSLAB_BOUNDED));
  CHECK_THROWS_WITH(check::scheme("rerope", {}, {10, 2, 64}), check::contains("even head width, not 5"));
  CHECK_THROWS_WITH(check::scheme("rerope", {}, {H * K, H, 1}), check::contains("must exceed 1, not 1"));
  CHECK_THROWS_AS(check::scheme("rerope", parameters(0, 64), {H * K, H, 64}), base::Error);
  CHECK_THROWS_AS(check::scheme("rerope", parameters(8, 1), {H * K, H, 64}), base::Error);
}
