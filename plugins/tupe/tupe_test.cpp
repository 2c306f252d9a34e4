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

constexpr Index H = 2, K = 3, D = H * K, Nq = 4, Nk = 7;
const host::Model model{D, H, 9};
const host::Context context{9, 9, false};
constexpr std::int64_t bins = 8, far = 16;

data::Values parameters(bool untie, bool relative) {
  data::Values values{{"untie_cls", Value(untie)}, {"max_rel_pos", Value(far)}};
  if (relative) values.set("rel_pos_bins", Value(bins));
  return values;
}

// Zero contents: what remains is the scheme's own part.
template <class S>
Array<S> part(const host::Scheme& scheme, const Array<double>& queries, const Array<double>& keys,
              const host::Weights<S>& weights) {
  const Array<S> q({H, queries.extent(0), K}), k({H, keys.extent(0), K});
  Array<S> out({H, queries.extent(0), keys.extent(0)});
  scheme.score<S>(context, {queries, keys, 0}, {{}, q, k, scheme.logit_scale()}, weights.layer(0), out);
  return out;
}

// One row of the table through LayerNorm and a projection, straight from the formula.
template <class S>
std::vector<double> projected(const host::Weights<S>& weights, Index row, std::size_t projection) {
  const auto& w = weights.arrays();
  double mean = 0, variance = 0;
  for (Index d = 0; d < D; ++d) mean += static_cast<double>(w[0][0](row, d)) / D;
  for (Index d = 0; d < D; ++d) variance += std::pow(w[0][0](row, d) - mean, 2) / D;
  std::vector<double> out;
  for (Index c = 0; c < D; ++c) {
    out.push_back(w[projection + 1][0](c));
    for (Index d = 0; d < D; ++d)
      out.back() +=
          w[projection][0](c, d) * ((w[0][0](row, d) - mean) / std::sqrt(variance + 1e-5) * w[1][0](d) + w[2][0](d));
  }
  return out;
}

template <class S>
double meeting(const host::Weights<S>& weights, Index h, Index query_row, Index key_row) {
  const auto q = projected(weights, query_row, 3), k = projected(weights, key_row, 5);
  double sum = 0;
  for (Index c = h * K; c < (h + 1) * K; ++c) sum += q[static_cast<std::size_t>(c)] * k[static_cast<std::size_t>(c)];
  return sum / std::sqrt(2.0 * K);
}

// T5's bidirectional buckets for 8 / 16, by hand for offsets up to 8: exact below 2, then 2 from 2, 3 from 6.
Index bucket(double offset) {
  const double n = std::abs(offset);
  const Index side = n < 2 ? static_cast<Index>(n) : n < 6 ? 2 : 3;
  return side + (offset > 0 ? bins / 2 : 0);
}

}  // namespace

TEMPLATE_TEST_CASE("tupe: projected rows meet, and [CLS] has its own two, pair by pair", "", float, double) {
  using S = TestType;
  const bool untie = GENERATE(true, false), relative = GENERATE(false, true);
  const auto scheme = check::scheme("tupe", parameters(untie, relative), model);
  const auto weights = check::random_weights<S>(*scheme, "arrays");
  for (const auto& keys : {check::consecutive(Nk), check::positions({8, 5, 0, 1, 1, 0, 3})}) {
    const auto queries = check::positions({0, 2, 1, 8});
    const Array<S> out = part<S>(*scheme, queries, keys, weights);
    for (Index i = 0; i < Nq; ++i)
      for (Index j = 0; j < Nk; ++j) {
        const double query = queries(i, 0), key = keys(j, 0);
        const bool from_cls = untie && query == 0, to_cls = untie && key == 0 && !from_cls;
        const Index first = untie ? 1 : 0;
        for (Index h = 0; h < H; ++h) {
          double wanted = from_cls ? meeting(weights, h, 0, 0)
                          : to_cls
                              ? meeting(weights, h, 1, 1)
                              : meeting(weights, h, static_cast<Index>(query) + first, static_cast<Index>(key) + first);
          if (relative) wanted += weights.arrays()[7][0](from_cls ? bins / 2 : to_cls ? bins : bucket(key - query), h);
          CHECK_THAT(static_cast<double>(out(h, i, j)), check::WithinAbs(wanted, sizeof(S) == 4 ? 2e-5 : 1e-12));
        }
      }
  }
}

TEST_CASE("tupe: it adds to the logits, the same whatever the contents") {
  const auto scheme = check::scheme("tupe", {}, model);
  const auto weights = check::random_weights(*scheme, "arrays");
  const auto positions = check::consecutive(Nk);
  const auto q = check::random({H, Nk, K}, "q"), k = check::random({H, Nk, K}, "k");
  const auto before = check::random({H, Nk, Nk}, "logits");
  auto out = before.copy();
  scheme->score<double>(context, {positions, positions, 0}, {{}, q, k, 1}, weights.layer(0), out);
  const auto alone = part<double>(*scheme, positions, positions, weights);
  for (Index n = 0; n < out.size(); ++n)
    CHECK_THAT(out.data()[n] - before.data()[n], check::WithinAbs(alone.data()[n], 1e-13));
}

TEST_CASE("tupe: scale, weights, claims") {
  const auto scheme = check::scheme("tupe", {}, model),
             with_bins = check::scheme("tupe", parameters(true, true), model);
  CHECK_THAT(scheme->logit_scale(), check::WithinRel(1 / std::sqrt(6.0), 1e-15));
  REQUIRE(scheme->weights().size() == 7);
  CHECK(scheme->weights()[0].shape == std::array<Index, 4>{10, D, 1, 1});  // train_length and one more
  CHECK(scheme->weights()[0].second == 0.02);
  CHECK(scheme->weights()[1].first == 1);
  REQUIRE(with_bins->weights().size() == 8);
  CHECK(with_bins->weights()[7].shape == std::array<Index, 4>{9, H, 1, 1});
  CHECK(check::scheme("tupe", parameters(false, false), model)->weights()[0].shape[0] == 9);
  CHECK(scheme->claims(POSLAB_CONTENT_FREE));
  CHECK(scheme->claims(POSLAB_BOUNDED));
  CHECK_FALSE(scheme->claims(POSLAB_RELATIVE));
  CHECK_FALSE(scheme->claims(POSLAB_LENGTH_FREE));  // it has as many rows as the model is trained at
  CHECK(check::scheme("tupe", {{"max_length", Value(std::int64_t{4})}}, model)->claims(POSLAB_LENGTH_FREE));
}

TEST_CASE("tupe: positions without a row, and odd numbers of buckets, are refused") {
  const auto scheme = check::scheme("tupe", {{"max_length", Value(std::int64_t{4})}}, model);
  const auto weights = check::random_weights(*scheme, "arrays");
  CHECK_NOTHROW(part<double>(*scheme, check::positions({3}), check::positions({0}), weights));
  CHECK_THROWS_AS(part<double>(*scheme, check::positions({4}), check::positions({0}), weights),
                  data::PositionOutOfRange);
  CHECK_THROWS_AS(part<double>(*scheme, check::positions({0}), check::positions({-1}), weights),
                  data::PositionOutOfRange);
  CHECK_THROWS_WITH(check::scheme("tupe", {{"rel_pos_bins", Value(std::int64_t{7})}}, model),
                    check::contains("tupe: bidirectional needs an even number of buckets"));
}

TEST_CASE("tupe: its gradient is that of central differences, and the derived one") {
  const auto values = parameters(GENERATE(true, false), true);
  const auto scheme = check::scheme("tupe", values, model), derived = check::derived("tupe", values, model);
  auto weights = check::random_weights(*scheme, "arrays");
  const auto queries = check::positions({0, 2, 1, 8}), keys = check::positions({8, 5, 0, 1, 1, 0, 3});
  const auto given = std::as_const(weights).layer(0);
  const auto q = check::random({H, Nq, K}, "q"), k = check::random({H, Nk, K}, "k");
  const auto by_logits = check::random({H, Nq, Nk}, "by logits");
  host::Weights<double> by_hand(scheme->weights(), 1), by_tape(scheme->weights(), 1);
  Array<double> by_q({H, Nq, K}), by_k({H, Nk, K});
  const host::Tile tile{queries, keys, 0};
  scheme->score_gradient<double>(context, tile, {{}, q, k, 1}, given, by_logits, {{}, by_q, by_k}, by_hand.layer(0));
  derived->score_gradient<double>(context, tile, {{}, q, k, 1}, given, by_logits, {{}, by_q, by_k}, by_tape.layer(0));
  const auto loss = [&] { return check::inner(part<double>(*scheme, queries, keys, weights), by_logits); };
  for (std::size_t w = 0; w < weights.arrays().size(); ++w) {
    CHECK(check::largest_difference(by_hand.arrays()[w][0], by_tape.arrays()[w][0]) < 1e-11);
    if (w != 6) CHECK(check::is_gradient(loss, weights.arrays()[w][0], by_hand.arrays()[w][0], 2e-6));
  }
  CHECK(check::is_gradient(loss, weights.arrays()[6][0], by_hand.arrays()[6][0]));
  for (const double x : by_q.flat()) CHECK(x == 0);
  for (const double x : by_k.flat()) CHECK(x == 0);
}
