// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/error.hpp"
#include "poslab/data/refusal.hpp"
#include "score_check.hpp"

using namespace poslab;
using base::Index;
using check::Value;

namespace {

constexpr Index H = 2, K = 3, M = 9;
const host::Model model{H * K, H, 64};

data::Values form(const char* name) { return {{"form", Value(name)}, {"max_length", Value(std::int64_t{M})}}; }

}  // namespace

TEMPLATE_TEST_CASE("bert-relative: the vector of i - j meets the query, or query and key", "", float, double) {
  using S = TestType;
  const std::string name = GENERATE("key", "key-query");
  const check::Scored<S> at(model, {3, 0, 8},
                            GENERATE(std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8}, std::vector<double>{8, 0, 4, 4}));
  const auto scheme = check::scheme("bert-relative", form(name.c_str()), model);
  const auto weights = check::random_weights<S>(*scheme, "E");
  at.compare(
      at.logits(*scheme, weights),
      [&](Index h, Index i, Index j) {
        const auto row = static_cast<Index>(at.query_at(i) - at.key_at(j)) + M - 1;
        double met = 0;
        for (Index c = 0; c < K; ++c) {
          const double vector = weights.arrays()[0][0](row, c);
          met += at.q(h, i, c) * vector;
          if (name == "key-query") met += at.k(h, j, c) * vector;
        }
        return at.product(h, i, j) + at.scale * met;
      },
      100 * std::numeric_limits<S>::epsilon());
}

TEST_CASE("bert-relative: a position beyond the table is refused by name and limit, never clamped") {
  const auto scheme = check::scheme("bert-relative", form("key"), model);
  const auto weights = check::random_weights(*scheme, "E");
  CHECK_NOTHROW(check::Scored<double>(model, {8}, {0, 8}).logits(*scheme, weights));
  for (const double outside : {9.0, -1.0, 1e6, 0.5}) {
    const check::Scored<double> query(model, {outside}, {0}), key(model, {0}, {outside});
    CHECK_THROWS_AS(query.logits(*scheme, weights), data::PositionOutOfRange);
    CHECK_THROWS_AS(key.logits(*scheme, weights), data::PositionOutOfRange);
  }
  CHECK_THROWS_WITH(check::Scored<double>(model, {9}, {0}).logits(*scheme, weights),
                    check::contains("9") && check::contains("8"));
  CHECK_FALSE(scheme->why_not_positions(0, 8));
  CHECK(scheme->why_not_positions(0, 9));
  CHECK(scheme->why_not_positions(-1, 8));
}

TEST_CASE("bert-relative: weights, claims") {
  const auto scheme = check::scheme("bert-relative", {}, model),
             fixed = check::scheme("bert-relative", form("key"), model);
  REQUIRE(scheme->weights().size() == 1);
  CHECK(scheme->weights()[0].shape == std::array<Index, 4>{127, K, 1, 1});  // the trained length, 64
  CHECK(scheme->weights()[0].second == 0.02);
  CHECK(scheme->weights()[0].per_layer);
  CHECK(scheme->mask() == host::Mask::any);
  CHECK(scheme->claims(POSLAB_RELATIVE));
  CHECK(scheme->claims(POSLAB_BOUNDED));
  CHECK_FALSE(scheme->claims(POSLAB_LENGTH_FREE));  // the table has the trained length
  CHECK(fixed->claims(POSLAB_LENGTH_FREE));
  CHECK_FALSE(scheme->claims(POSLAB_CONTENT_FREE));
  CHECK_FALSE(scheme->claims(POSLAB_SYMMETRIC));
  CHECK_THROWS_WITH(check::scheme("bert-relative", {{"form", Value("query")}}, model), check::contains("key-query"));
}

TEST_CASE("bert-relative: gradients are those of central differences") {
  check::Scored<double> at(model, {3, 0, 8}, {8, 0, 4, 4});
  const auto scheme = check::scheme("bert-relative", form(GENERATE("key", "key-query")), model);
  auto weights = check::random_weights(*scheme, "E");
  CHECK(check::score_gradients_hold(*scheme, at, weights));
}
