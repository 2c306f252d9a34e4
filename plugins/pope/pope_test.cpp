// SPDX-License-Identifier: Apache-2.0
// Dimension letters: H heads, K head width, Nq queries, Nk keys.
#include <numbers>

#include "poslab/base/error.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{40, 512, true};
constexpr Index H = 2, K = 5;
constexpr double scale = 0.4, two_pi = 2 * std::numbers::pi;

std::unique_ptr<host::Scheme> pope(const data::Values& values = {}) {
  return check::scheme("pope", values, {H * K, H, 512});
}

// Phases below, within and above [-2 pi, 0].
template <class S>
host::Weights<S> phases(const host::Scheme& scheme) {
  host::Weights<S> weights(scheme.weights(), 1);
  const double values[] = {-0.5, -7, -3, 0.4, -6};
  for (Index i = 0; i < H * K; ++i) weights.arrays()[0][0].data()[i] = static_cast<S>(values[i % 5] + 0.01 * (i / 5));
  return weights;
}

template <class S>
Array<S> logits(const host::Scheme& scheme, const Array<double>& queries, const Array<double>& keys, const Array<S>& q,
                const Array<S>& k, const host::Weights<S>& weights) {
  Array<S> out({H, queries.extent(0), keys.extent(0)});
  out.fill(S(77));  // to be overwritten
  scheme.score<S>(context, {queries, keys, 0}, {{}, q.view(), k.view(), scale}, weights.layer(0), out);
  return out;
}

double softplus(double x) { return std::log1p(std::exp(-std::abs(x))) + std::max(x, 0.0); }

}  // namespace

TEMPLATE_TEST_CASE("pope: lengths from contents, angles from positions, phases held within a turn", "", float, double) {
  using S = TestType;
  const auto scheme = pope();
  const auto weights = phases<S>(*scheme);
  const auto queries = check::positions({0, 3, 39, -2.5}), keys = check::positions({0, 1, 36, 4.5, 39});
  auto q = check::random<S>({H, 4, K}, "q"), k = check::random<S>({H, 5, K}, "k");
  q(0, 0, 0) = 60, k(0, 0, 0) = -60;  // where a naive softplus loses its digits
  const auto out = logits(*scheme, queries, keys, q, k, weights);
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < 4; ++i)
      for (Index j = 0; j < 5; ++j) {
        double sum = 0;
        for (Index c = 0; c < K; ++c) {
          const double delta = std::clamp(static_cast<double>(weights.arrays()[0][0](h, c)), -two_pi, 0.0);
          const double rotation = (queries(i, 0) - keys(j, 0)) * std::pow(1e4, -static_cast<double>(c) / K);
          sum += softplus(q(h, i, c)) * softplus(k(h, j, c)) * std::cos(rotation - delta);
        }
        REQUIRE_THAT(static_cast<double>(out(h, i, j)), check::WithinAbs(scale * sum, sizeof(S) == 4 ? 1e-5 : 1e-13));
      }
}

TEST_CASE("pope: shifts change nothing, with phases 0 and equal contents the query's own position is met best") {
  const auto scheme = pope();
  const auto weights = phases<double>(*scheme);
  const host::Weights<double> none(scheme->weights(), 1);
  const auto q = check::random({H, 3, K}, "q"), k = check::random({H, 3, K}, "k");
  const auto here = logits(*scheme, check::positions({5, 9, 2}), check::positions({0, 5, 7}), q, k, weights),
             there = logits(*scheme, check::positions({4005, 4009, 4002}), check::positions({4000, 4005, 4007}), q, k,
                            weights);
  CHECK(check::largest_difference(here, there) < 1e-11);
  Array<double> zero({H, 1, K}), zeros({H, 5, K});
  const auto same = logits(*scheme, check::positions({2}), check::consecutive(5), zero, zeros, none);
  for (const Index j : {0, 1, 3, 4}) CHECK(same(0, 0, j) < same(0, 0, 2));
  CHECK_THAT(same(0, 0, 2), check::WithinRel(scale * K * std::log(2) * std::log(2), 1e-14));
  CHECK_THAT(same(0, 0, 1), check::WithinAbs(same(0, 0, 3), 1e-15));
}

TEST_CASE("pope: gradients by queries, keys and phases, a phase beyond its bounds gets none") {
  const auto scheme = pope();
  auto weights = phases<double>(*scheme);
  const auto queries = check::positions({0, 3, 30}), keys = check::positions({0, 2, 28, 4});
  auto q = check::random({H, 3, K}, "q"), k = check::random({H, 4, K}, "k");
  const auto seed = check::random({H, 3, 4}, "g");
  const auto loss = [&] { return check::inner(logits(*scheme, queries, keys, q, k, weights), seed); };
  Array<double> dq({H, 3, K}), dk({H, 4, K});
  host::Weights<double> dw(scheme->weights(), 1);
  scheme->score_gradient<double>(context, {queries, keys, 0}, {{}, q.view(), k.view(), scale},
                                 std::as_const(weights).layer(0), seed.view(), {{}, dq.view(), dk.view()}, dw.layer(0));
  CHECK(check::is_gradient(loss, q, dq, 1e-7));
  CHECK(check::is_gradient(loss, k, dk, 1e-7));
  CHECK(check::is_gradient(loss, weights.arrays()[0][0], dw.arrays()[0][0], 1e-7));
  CHECK(dw.arrays()[0][0](0, 1) == 0);
  CHECK(dw.arrays()[0][0](0, 3) == 0);
  CHECK(dw.arrays()[0][0](0, 0) != 0);
}

TEST_CASE("pope: initial phases, claims, and what is refused") {
  const auto scheme = pope(), drawn = pope({{"bias_uniform_init", Value(true)}});
  REQUIRE(scheme->weights().size() == 1);
  CHECK(scheme->weights()[0].shape == std::array<Index, 4>{H, K, 1, 1});
  CHECK(scheme->weights()[0].initialisation == POSLAB_CONSTANT);
  CHECK(scheme->weights()[0].first == 0);
  CHECK(drawn->weights()[0].initialisation == POSLAB_UNIFORM);
  CHECK(drawn->weights()[0].first == -two_pi);
  CHECK(drawn->weights()[0].second == 0);
  CHECK(scheme->score_writes_logits());
  CHECK(scheme->logit_scale() == 1 / std::sqrt(5.0));
  for (const poslab_claim claim : {POSLAB_RELATIVE, POSLAB_LENGTH_FREE, POSLAB_BOUNDED}) CHECK(scheme->claims(claim));
  CHECK_FALSE(scheme->claims(POSLAB_CONTENT_FREE));
  CHECK_THROWS_AS(pope({{"base", Value(0.0)}}), base::Error);
}
