// SPDX-License-Identifier: Apache-2.0
// Dimension letters: Nq queries, Nk keys, H heads, K head width, M width of the network.
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

constexpr Index H = 3, K = 2, M = 4, Nq = 3, Nk = 7;
const host::Model model{H * K, H, 512};
const host::Context context{Nk, 512, true};
constexpr double scale = 0.3;

data::Values parameters(const std::string& base) {
  return {{"base", Value(base)}, {"mlp_width", Value(std::int64_t{M})}};
}

// ALiBi's slopes for three heads, and KERPLE's logarithm.
double base_bias(const host::Weights<double>& weights, const std::string& base, Index h, double back) {
  const double distance = std::max(back, 0.0), slopes[] = {0.0625, 0.00390625, 0.25};
  if (base == "alibi") return -slopes[h] * distance;
  const double a = std::max(weights.arrays()[4][0](h), 0.01), p = std::max(weights.arrays()[5][0](h), 0.01);
  return -p * std::log(1 + a * distance);
}

struct Setting {
  Array<double> queries = check::positions({3, 6, 0}), keys = check::positions({0, 1, 2, 3, 6, 100, -4.5});
  Array<double> q = check::random({H, Nq, K}, "q"), k = check::random({H, Nk, K}, "k");
  host::Tile tile() const { return {queries.view(), keys.view(), 0}; }
  // What the host hands over: scale q.k
  Array<double> logits() const {
    Array<double> out({H, Nq, Nk});
    for (Index h = 0; h < H; ++h)
      for (Index i = 0; i < Nq; ++i)
        for (Index j = 0; j < Nk; ++j)
          for (Index c = 0; c < K; ++c) out(h, i, j) += scale * q(h, i, c) * k(h, j, c);
    return out;
  }
  Array<double> score(const host::Scheme& scheme, const host::Weights<double>& weights) const {
    Array<double> out = logits();
    scheme.score<double>(context, tile(), {{}, q, k, scale}, weights.layer(0), out);
    return out;
  }
};

template <class T, class F>
Array<T> cast(const Array<F>& from) {
  Array<T> to(from.rank(), from.view().shape);
  for (Index i = 0; i < from.size(); ++i) to.data()[i] = static_cast<T>(from.data()[i]);
  return to;
}

}  // namespace

TEST_CASE("dape: logits, biases and what the network makes of them, pair by pair") {
  const std::string base = GENERATE("alibi", "kerple");
  const auto scheme = check::scheme("dape", parameters(base), model);
  const auto weights = check::random_weights(*scheme, "network");
  const auto& w = weights.arrays();
  const Setting at;
  const Array<double> before = at.logits(), out = at.score(*scheme, weights);
  Array<float> single = cast<float>(before);
  host::Weights<float> narrow(scheme->weights(), 1);
  for (std::size_t n = 0; n < w.size(); ++n) narrow.arrays()[n][0] = cast<float>(w[n][0]);
  const Array<float> q = cast<float>(at.q), k = cast<float>(at.k);
  scheme->score<float>(context, at.tile(), {{}, q, k, scale}, std::as_const(narrow).layer(0), single);
  for (Index i = 0; i < Nq; ++i)
    for (Index j = 0; j < Nk; ++j) {
      double seen[2 * H];
      for (Index h = 0; h < H; ++h) {
        seen[h] = before(h, i, j);
        seen[H + h] = base_bias(weights, base, h, at.queries(i, 0) - at.keys(j, 0));
      }
      for (Index h = 0; h < H; ++h) {
        double wanted = seen[h] + seen[H + h] + w[3][0](h);
        for (Index m = 0; m < M; ++m) {
          double unit = w[1][0](m);
          for (Index c = 0; c < 2 * H; ++c) unit += w[0][0](m, c) * seen[c];
          wanted += w[2][0](h, m) * (unit < 0 ? 0.01 * unit : unit);
        }
        CHECK_THAT(out(h, i, j), check::WithinAbs(wanted, 1e-12));
        CHECK_THAT(static_cast<double>(single(h, i, j)), check::WithinAbs(wanted, 5e-5));
      }
    }
}

TEST_CASE("dape: with a network of zeros it is its base") {
  const std::string base = GENERATE("alibi", "kerple");
  const auto scheme = check::scheme("dape", parameters(base), model);
  host::Weights<double> weights(scheme->weights(), 1);
  const Setting at;
  const Array<double> before = at.logits(), out = at.score(*scheme, weights);
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < Nq; ++i)
      for (Index j = 0; j < Nk; ++j)
        CHECK_THAT(
            out(h, i, j),
            check::WithinAbs(before(h, i, j) + base_bias(weights, base, h, at.queries(i, 0) - at.keys(j, 0)), 1e-14));
}

TEST_CASE("dape: weights and claims") {
  const auto alibi = check::scheme("dape", {}, model),
             kerple = check::scheme("dape", {{"base", Value("kerple")}}, model);
  REQUIRE(alibi->weights().size() == 4);
  REQUIRE(kerple->weights().size() == 6);
  CHECK(alibi->weights()[0].shape == std::array<Index, 4>{32, 2 * H, 1, 1});
  CHECK(alibi->weights()[0].second == 1 / std::sqrt(6.0));
  CHECK(kerple->weights()[5].second == 2);
  for (const auto& weight : kerple->weights()) CHECK(weight.per_layer);
  CHECK(alibi->claims(POSLAB_RELATIVE));
  CHECK(alibi->claims(POSLAB_LENGTH_FREE));
  CHECK_FALSE(alibi->claims(POSLAB_CONTENT_FREE));
  CHECK_FALSE(alibi->claims(POSLAB_BOUNDED));
  CHECK(alibi->score_writes_logits());
}

TEST_CASE("dape: its gradient is that of central differences, through the logits too") {
  const auto scheme = check::scheme("dape", parameters(GENERATE("alibi", "kerple")), model);
  auto weights = check::random_weights(*scheme, "network");
  for (std::size_t w = 4; w < weights.arrays().size(); ++w)  // KERPLE's numbers where they are not clamped
    for (double& x : weights.arrays()[w][0].flat()) x = 0.3 + std::abs(x);
  Setting at;
  const auto by_logits = check::random({H, Nq, Nk}, "by logits");
  host::Weights<double> gradient(scheme->weights(), 1);
  Array<double> by_q({H, Nq, K}), by_k({H, Nk, K});
  scheme->score_gradient<double>(context, at.tile(), {{}, at.q, at.k, scale}, std::as_const(weights).layer(0),
                                 by_logits, {{}, by_q, by_k}, gradient.layer(0));
  const auto loss = [&] { return check::inner(at.score(*scheme, weights), by_logits); };
  for (std::size_t w = 0; w < weights.arrays().size(); ++w)
    CHECK(check::is_gradient(loss, weights.arrays()[w][0], gradient.arrays()[w][0]));
  CHECK(check::is_gradient(loss, at.q, by_q));
  CHECK(check::is_gradient(loss, at.k, by_k));
}
