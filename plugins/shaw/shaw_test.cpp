// SPDX-License-Identifier: Apache-2.0
// Dimension letters: Nq queries, Nk keys, H heads, K head width.
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

constexpr Index H = 2, K = 5;
const host::Model model{H * K, H, 512};
const host::Context context{9, 512, true};
constexpr double scale = 0.3;

data::Values clipped(std::int64_t clip) { return {{"clip", Value(clip)}}; }

Index row_of(double query, double key, Index clip) {
  return static_cast<Index>(
             std::max<double>(-static_cast<double>(clip), std::min<double>(static_cast<double>(clip), key - query))) +
         clip;
}

// Queries 3, 4, 8 of consecutive keys 0 .. 8, or scattered ones.
struct Setting {
  Array<double> queries, keys;
  explicit Setting(bool scattered)
      : queries(check::positions({3, 4, 8})),
        keys(scattered ? check::positions({8, 0, 1000, 4, 5}) : check::consecutive(9)) {}
  host::Tile tile() const { return {queries.view(), keys.view(), 3}; }
  Index Nq() const { return queries.extent(0); }
  Index Nk() const { return keys.extent(0); }
};

}  // namespace

TEMPLATE_TEST_CASE("shaw: logits and values against the paper's sums, pair by pair", "", float, double) {
  using S = TestType;
  const Index clip = GENERATE(1, 3, 20);
  const Setting at(GENERATE(false, true));
  const auto scheme = check::scheme("shaw", clipped(clip), model);
  const auto weights = check::random_weights<S>(*scheme, "tables");
  const auto& aK = weights.arrays()[0][0];
  const auto& aV = weights.arrays()[1][0];
  const auto q = check::random<S>({H, at.Nq(), K}, "q"), k = check::random<S>({H, at.Nk(), K}, "k");
  const auto before = check::random<S>({H, at.Nq(), at.Nk()}, "logits"),
             attention = check::random<S>({H, at.Nq(), at.Nk()}, "a");
  const auto output = check::random<S>({H, at.Nq(), K}, "out");
  auto logits = before.copy();
  auto mixed = output.copy();
  scheme->score<S>(context, at.tile(), {{}, q, k, scale}, weights.layer(0), logits);
  scheme->mix<S>(context, at.tile(), attention, weights.layer(0), mixed);
  const double allowed = 200 * std::numeric_limits<S>::epsilon();
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < at.Nq(); ++i) {
      for (Index j = 0; j < at.Nk(); ++j) {
        double wanted = before(h, i, j);
        for (Index c = 0; c < K; ++c)
          wanted += scale * q(h, i, c) * aK(row_of(at.queries(i, 0), at.keys(j, 0), clip), c);
        CHECK_THAT(static_cast<double>(logits(h, i, j)), check::WithinAbs(wanted, allowed));
      }
      for (Index c = 0; c < K; ++c) {
        double wanted = output(h, i, c);
        for (Index j = 0; j < at.Nk(); ++j)
          wanted += static_cast<double>(attention(h, i, j)) * aV(row_of(at.queries(i, 0), at.keys(j, 0), clip), c);
        CHECK_THAT(static_cast<double>(mixed(h, i, c)), check::WithinAbs(wanted, allowed));
      }
    }
}

TEST_CASE("shaw: keys only, tables of all layers, initial weights, claims") {
  const auto both = check::scheme("shaw", {}, model),
             keys = check::scheme("shaw", {{"value_vectors", Value(false)}}, model);
  CHECK(both->has(host::Operation::score));
  CHECK(both->has(host::Operation::mix));
  CHECK_FALSE(keys->has(host::Operation::mix));
  REQUIRE(both->weights().size() == 2);
  REQUIRE(keys->weights().size() == 1);
  CHECK(both->weights()[1].shape == std::array<Index, 4>{33, K, 1, 1});
  CHECK(both->weights()[0].per_layer);
  CHECK_FALSE(check::scheme("shaw", {{"per_layer", Value(false)}}, model)->weights()[0].per_layer);
  CHECK(both->weights()[0].second == 0.02);
  CHECK(both->logit_scale() == 1 / std::sqrt(5.0));
  CHECK(both->mask() == host::Mask::any);
  CHECK(both->claims(POSLAB_RELATIVE));
  CHECK(both->claims(POSLAB_BOUNDED));
  CHECK(both->claims(POSLAB_LENGTH_FREE));
  CHECK_FALSE(both->claims(POSLAB_CONTENT_FREE));  // the vectors meet the query's content
}

TEST_CASE("shaw: gradients are those of central differences, and the derived ones") {
  const Setting at(GENERATE(false, true));
  const auto scheme = check::scheme("shaw", clipped(3), model), derived = check::derived("shaw", clipped(3), model);
  auto weights = check::random_weights(*scheme, "tables");
  const auto given = std::as_const(weights).layer(0);
  auto q = check::random({H, at.Nq(), K}, "q"), k = check::random({H, at.Nk(), K}, "k");
  auto attention = check::random({H, at.Nq(), at.Nk()}, "a");
  const auto by_logits = check::random({H, at.Nq(), at.Nk()}, "by logits"),
             by_output = check::random({H, at.Nq(), K}, "by output");
  const auto logits = [&] {
    Array<double> out({H, at.Nq(), at.Nk()});
    scheme->score<double>(context, at.tile(), {{}, q, k, scale}, given, out);
    return check::inner(out, by_logits);
  };
  const auto output = [&] {
    Array<double> out({H, at.Nq(), K});
    scheme->mix<double>(context, at.tile(), attention, given, out);
    return check::inner(out, by_output);
  };
  host::Weights<double> by_hand(scheme->weights(), 1), by_tape(scheme->weights(), 1);
  Array<double> by_q({H, at.Nq(), K}), by_k({H, at.Nk(), K}), by_a({H, at.Nq(), at.Nk()});
  Array<double> tape_q({H, at.Nq(), K}), tape_k({H, at.Nk(), K}), tape_a({H, at.Nq(), at.Nk()});
  scheme->score_gradient<double>(context, at.tile(), {{}, q, k, scale}, given, by_logits, {{}, by_q, by_k},
                                 by_hand.layer(0));
  derived->score_gradient<double>(context, at.tile(), {{}, q, k, scale}, given, by_logits, {{}, tape_q, tape_k},
                                  by_tape.layer(0));
  scheme->mix_gradient<double>(context, at.tile(), attention, given, by_output, by_a, by_hand.layer(0));
  derived->mix_gradient<double>(context, at.tile(), attention, given, by_output, tape_a, by_tape.layer(0));

  CHECK(check::is_gradient(logits, q, by_q));
  CHECK(check::is_gradient(logits, weights.arrays()[0][0], by_hand.arrays()[0][0]));
  CHECK(check::is_gradient(output, attention, by_a));
  CHECK(check::is_gradient(output, weights.arrays()[1][0], by_hand.arrays()[1][0]));
  CHECK(check::largest_difference(by_k, Array<double>({H, at.Nk(), K})) == 0);  // keys meet no table
  CHECK(check::largest_difference(by_q, tape_q) < 1e-13);
  CHECK(check::largest_difference(by_k, tape_k) < 1e-13);
  CHECK(check::largest_difference(by_a, tape_a) < 1e-13);
  for (std::size_t w = 0; w < 2; ++w)
    CHECK(check::largest_difference(by_hand.arrays()[w][0], by_tape.arrays()[w][0]) < 1e-13);
}
