// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include "poslab/base/error.hpp"
#include "poslab/data/refusal.hpp"
#include "score_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

constexpr Index H = 2, K = 3, D = H * K;
const host::Model model{D, H, 64};

// 0 buckets: unset.
data::Values parameters(std::int64_t buckets, std::int64_t farthest, bool c2p = true, bool p2c = true) {
  return {{"position_buckets", buckets ? Value(buckets) : Value()},
          {"max_relative_positions", Value(farthest)},
          {"content_to_position", Value(c2p)},
          {"position_to_content", Value(p2c)}};
}

// The row of an offset i - j, from the published description.
Index row_of(double offset, int buckets, int farthest) {
  const int span = buckets ? buckets : farthest, middle = buckets / 2;
  double bucket = offset;
  if (buckets && std::abs(offset) > middle) {
    const double size =
        std::ceil(std::log(std::abs(offset) / middle) / std::log((farthest - 1.0) / middle) * (middle - 1)) + middle;
    bucket = offset < 0 ? -size : size;
  }
  return static_cast<Index>(std::max(0.0, std::min(2.0 * span - 1, bucket + span)));
}

// The row of every offset, read off a table whose rows are their numbers.
std::map<int, int> rows_of(const data::Values& of, int reach) {
  const host::Model one{1, 1, 64};
  const auto scheme = check::scheme("deberta", of, one);
  host::Weights<double> weights(scheme->weights(), 1);
  for (Index row = 0; row < weights.arrays()[0][0].size(); ++row)
    weights.arrays()[0][0].data()[row] = static_cast<double>(row);
  weights.arrays()[1][0].fill(1);
  std::vector<double> positions;
  for (int r = -reach; r <= reach; ++r) positions.push_back(-r);
  check::Scored<double> at(one, {0}, positions, 0, 1);
  at.q.fill(1), at.k.fill(0);
  const Array<double> logits = at.logits(*scheme, weights);
  std::map<int, int> rows;
  for (int r = -reach; r <= reach; ++r) rows[r] = static_cast<int>(logits(0, 0, r + reach));
  return rows;
}

std::map<int, int> rows_of(std::int64_t buckets, std::int64_t farthest, int reach) {
  return rows_of(parameters(buckets, farthest, true, false), reach);
}

}  // namespace

TEMPLATE_TEST_CASE("deberta: content meets the projected embedding of the bucket, on either side", "", float, double) {
  using S = TestType;
  const auto [buckets, farthest] = GENERATE(std::pair{4, 16}, std::pair{6, 10}, std::pair{0, 3});
  const auto [c2p, p2c] = GENERATE(std::pair{true, true}, std::pair{true, false}, std::pair{false, true});
  const check::Scored<S> at(model, {3, 0, 40}, {0, 1, 2, 3, 40, 12, 1e6, -5});
  const auto scheme = check::scheme("deberta", parameters(buckets, farthest, c2p, p2c), model);
  const auto weights = check::random_weights<S>(*scheme, "P");
  const auto projected = [&](std::size_t w, Index row, Index channel) {
    double sum = 0;
    for (Index d = 0; d < D; ++d)
      sum += static_cast<double>(weights.arrays()[0][0](row, d)) * weights.arrays()[w][0](channel, d);
    return sum;
  };
  at.compare(
      at.logits(*scheme, weights),
      [&, c = c2p, p = p2c, b = buckets, f = farthest](Index h, Index i, Index j) {
        const Index row = row_of(at.query_at(i) - at.key_at(j), b, f);
        double met = 0;
        for (Index k = 0; k < K; ++k) {
          if (c) met += at.q(h, i, k) * projected(1, row, h * K + k);
          if (p) met += at.k(h, j, k) * projected(c ? 2 : 1, row, h * K + k);
        }
        return at.product(h, i, j) + at.scale * met;
      },
      500 * std::numeric_limits<S>::epsilon());
}

TEST_CASE("deberta: rows of 256/512: 512 of them, alone up to 128, and not mirror images at the ends") {
  auto rows = rows_of(256, 512, 700);
  std::set<int> different;
  for (const auto& [offset, row] : rows) {
    different.insert(row);
    CHECK(row == row_of(offset, 256, 512));
    if (std::abs(offset) <= 128) CHECK(row == offset + 256);
  }
  CHECK(different.size() == 512);
  for (const int far : {506, 511, 512, 700}) CHECK(rows[far] == 511);
  for (const int far : {-506, -511}) CHECK(rows[far] == 1);
  for (const int far : {-512, -700}) CHECK(rows[far] == 0);
  CHECK(rows[505] == 510);
}

TEST_CASE("deberta: without buckets every offset has its row, up to the ends") {
  auto rows = rows_of(0, 5, 9);
  for (int r = -9; r <= 9; ++r) CHECK(rows[r] == std::max(0, std::min(9, r + 5)));
}

TEST_CASE("deberta: scale counts the terms, weights, claims, refusals") {
  const auto both = check::scheme("deberta", {}, model),
             one = check::scheme("deberta", parameters(256, 512, false, true), model);
  CHECK_THAT(both->logit_scale(), check::WithinAbs(1 / std::sqrt(9.0), 1e-15));
  CHECK_THAT(one->logit_scale(), check::WithinAbs(1 / std::sqrt(6.0), 1e-15));
  REQUIRE(both->weights().size() == 3);
  REQUIRE(one->weights().size() == 2);
  CHECK(one->weights()[1].name == "query_projection");
  CHECK(both->weights()[0].shape == std::array<Index, 4>{512, D, 1, 1});
  CHECK_FALSE(both->weights()[0].per_layer);
  CHECK(both->weights()[1].per_layer);
  CHECK(both->weights()[1].second == 0.02);
  CHECK(both->claims(POSLAB_RELATIVE));
  CHECK(both->claims(POSLAB_BOUNDED));
  CHECK(both->claims(POSLAB_LENGTH_FREE));
  CHECK_FALSE(both->claims(POSLAB_CONTENT_FREE));
  CHECK_FALSE(both->claims(POSLAB_SYMMETRIC));
  CHECK_THROWS_WITH(check::scheme("deberta", parameters(8, 16, false, false), model),
                    check::contains("no position enters"));
  CHECK_THROWS_AS(check::scheme("deberta", parameters(8, 5), model), data::Refused);
  CHECK_THROWS_WITH(check::scheme("deberta", parameters(8, 5), model), check::contains("greater than"));
  CHECK_NOTHROW(check::scheme("deberta", parameters(8, 6), model));
  CHECK_NOTHROW(check::scheme("deberta", parameters(2, 3), model));
}

TEST_CASE("deberta: gradients are those of central differences, by hand and derived") {
  const auto [c2p, p2c] = GENERATE(std::pair{true, true}, std::pair{true, false}, std::pair{false, true});
  const auto values = parameters(4, 16, c2p, p2c);
  check::Scored<double> at(model, {3, 0, 40}, {0, 3, 40, 12, 1e6, -5});
  const auto scheme = check::scheme("deberta", values, model), derived = check::derived("deberta", values, model);
  auto weights = check::random_weights(*scheme, "P");
  CHECK(check::score_gradients_hold(*scheme, at, weights));
  CHECK(check::score_gradients_hold(*derived, at, weights));
}

// How a study says that there are none (core/import).
TEST_CASE("deberta: twice as many buckets as positions, in a table that ends with them, are no buckets") {
  for (const std::int64_t m : {1, 2, 16}) {
    data::Values of = parameters(2 * m, m + 2, true, false);
    of.set("span", m);
    CHECK(rows_of(of, 40) == rows_of(0, m, 40));
  }
}
