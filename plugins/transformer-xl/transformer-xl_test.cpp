// SPDX-License-Identifier: Apache-2.0
// Dimension letters: D model width, H heads, K head width, Nq queries, Nk keys.
#include "poslab/base/error.hpp"
#include "poslab/data/refusal.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

constexpr Index H = 2, K = 3, D = H * K;
const host::Model model{D, H, 512};
const host::Context context{9, 512, true};
constexpr double scale = 0.4;

struct Setting {
  Array<double> queries, keys;
  explicit Setting(int kind)
      : queries(kind == 2 ? check::positions({3.5, 0, 8}) : check::positions({3, 4, 8})),
        keys(kind == 0 ? check::consecutive(9) : check::positions({8, 0, 1000, 4, kind == 2 ? 0.25 : 5})) {}
  host::Tile tile() const { return {queries.view(), keys.view(), 3}; }
  Index Nq() const { return queries.extent(0); }
  Index Nk() const { return keys.extent(0); }
};

// R[n]: half-split sinusoid of width D.
double sinusoid(double n, Index c) {
  const double w = std::pow(1e4, -2.0 * static_cast<double>(c % (D / 2)) / D);
  return c < D / 2 ? std::sin(n * w) : std::cos(n * w);
}

// ((q + u) . k + (q + v) . W_r R[n]) scale, less the q . k that the logits carry already.
template <class S>
double added(const host::Weights<S>& w, const Array<S>& q, const Array<S>& k, Index h, Index i, Index j, double n) {
  double sum = 0;
  for (Index c = 0; c < K; ++c) {
    double projected = 0;
    for (Index d = 0; d < D; ++d) projected += static_cast<double>(w.arrays()[2][0](h * K + c, d)) * sinusoid(n, d);
    sum += static_cast<double>(w.arrays()[0][0](h, c)) * k(h, j, c) +
           (static_cast<double>(q(h, i, c)) + w.arrays()[1][0](h, c)) * projected;
  }
  return scale * sum;
}

}  // namespace

TEMPLATE_TEST_CASE("transformer-xl: every choice of the offset, clamped or not, against the formula", "", float,
                   double) {
  using S = TestType;
  const std::string offset = GENERATE("query-minus-key", "key-minus-query", "from-the-end");
  const int clamp = GENERATE(0, 2);
  const Setting at(GENERATE(0, 1, 2));
  data::Values parameters{{"offset", Value(offset)}};
  if (clamp) parameters.set("clamp_length", std::int64_t{clamp});
  const auto scheme = check::scheme("transformer-xl", parameters, model);
  const auto weights = check::random_weights<S>(*scheme, "weights");
  const auto q = check::random<S>({H, at.Nq(), K}, "q"), k = check::random<S>({H, at.Nk(), K}, "k");
  const auto before = check::random<S>({H, at.Nq(), at.Nk()}, "logits");
  auto logits = before.copy();
  scheme->score<S>(context, at.tile(), {{}, q, k, scale}, weights.layer(0), logits);
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < at.Nq(); ++i)
      for (Index j = 0; j < at.Nk(); ++j) {
        double n = at.queries(i, 0) - at.keys(j, 0);
        if (offset == "key-minus-query") n = -n;
        if (offset == "from-the-end") n = static_cast<double>(context.length) - 1 - n;
        if (clamp) n = std::max(-2.0, std::min(2.0, n));
        CHECK_THAT(static_cast<double>(logits(h, i, j)),
                   check::WithinAbs(before(h, i, j) + added(weights, q, k, h, i, j, n),
                                    300 * std::numeric_limits<S>::epsilon()));
      }
}

TEST_CASE("transformer-xl: weights, claims, what it refuses") {
  const auto scheme = check::scheme("transformer-xl", {}, model),
             tied = check::scheme("transformer-xl", {{"untie", Value(false)}}, model);
  REQUIRE(scheme->weights().size() == 3);
  CHECK(scheme->weights()[0].shape == std::array<Index, 4>{H, K, 1, 1});
  CHECK(scheme->weights()[2].shape == std::array<Index, 4>{D, D, 1, 1});
  CHECK(scheme->weights()[0].per_layer);
  CHECK_FALSE(tied->weights()[0].per_layer);
  CHECK_FALSE(tied->weights()[1].per_layer);
  CHECK(tied->weights()[2].per_layer);
  CHECK(scheme->weights()[2].second == 0.02);
  CHECK(scheme->claims(POSLAB_RELATIVE));
  CHECK(scheme->claims(POSLAB_BOUNDED));
  CHECK(scheme->claims(POSLAB_LENGTH_FREE));
  CHECK_FALSE(check::scheme("transformer-xl", {{"offset", Value("from-the-end")}}, model)->claims(POSLAB_LENGTH_FREE));
  CHECK(scheme->logit_scale() == 1 / std::sqrt(3.0));
  CHECK_THROWS_AS(check::scheme("transformer-xl", {}, {9, 3, 512}), data::Refused);
  CHECK_THROWS_WITH(check::scheme("transformer-xl", {}, {9, 3, 512}), check::contains("even model width, not 9"));
}

TEST_CASE("transformer-xl: gradients are those of central differences, and the derived ones") {
  const Setting at(GENERATE(0, 1, 2));
  const data::Values parameters{{"clamp_length", Value(std::int64_t{4})}};
  const auto scheme = check::scheme("transformer-xl", parameters, model),
             derived = check::derived("transformer-xl", parameters, model);
  auto weights = check::random_weights(*scheme, "weights");
  const auto given = std::as_const(weights).layer(0);
  auto q = check::random({H, at.Nq(), K}, "q"), k = check::random({H, at.Nk(), K}, "k");
  const auto by_logits = check::random({H, at.Nq(), at.Nk()}, "by logits");
  const auto loss = [&] {
    Array<double> out({H, at.Nq(), at.Nk()});
    scheme->score<double>(context, at.tile(), {{}, q, k, scale}, given, out);
    return check::inner(out, by_logits);
  };
  host::Weights<double> by_hand(scheme->weights(), 1), by_tape(scheme->weights(), 1);
  Array<double> by_q({H, at.Nq(), K}), by_k({H, at.Nk(), K}), tape_q({H, at.Nq(), K}), tape_k({H, at.Nk(), K});
  scheme->score_gradient<double>(context, at.tile(), {{}, q, k, scale}, given, by_logits, {{}, by_q, by_k},
                                 by_hand.layer(0));
  derived->score_gradient<double>(context, at.tile(), {{}, q, k, scale}, given, by_logits, {{}, tape_q, tape_k},
                                  by_tape.layer(0));
  CHECK(check::is_gradient(loss, q, by_q));
  CHECK(check::is_gradient(loss, k, by_k));
  CHECK(check::largest_difference(by_q, tape_q) < 1e-12);
  CHECK(check::largest_difference(by_k, tape_k) < 1e-12);
  for (std::size_t w = 0; w < 3; ++w) {
    CHECK(check::is_gradient(loss, weights.arrays()[w][0], by_hand.arrays()[w][0]));
    CHECK(check::largest_difference(by_hand.arrays()[w][0], by_tape.arrays()[w][0]) < 1e-12);
  }
}
