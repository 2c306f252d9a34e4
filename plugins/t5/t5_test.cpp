// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "poslab/base/error.hpp"
#include "poslab/data/refusal.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{64, 512, true};

data::Values parameters(std::int64_t buckets, std::int64_t max_distance, bool bidirectional) {
  return {{"buckets", Value(buckets)}, {"max_distance", Value(max_distance)}, {"bidirectional", Value(bidirectional)}};
}

// The bucket of every offset key - query, read off a table whose rows are their numbers.
std::vector<int> buckets_of(const data::Values& values, const std::vector<double>& offsets) {
  const auto scheme = check::scheme("t5", values, {1, 1, 512});
  host::Weights<double> table(scheme->weights(), 1);
  for (Index row = 0; row < table.arrays()[0][0].size(); ++row)
    table.arrays()[0][0].data()[row] = static_cast<double>(row);
  const auto query = check::positions({0}), keys = check::positions(offsets);
  Array<double> out({1, 1, keys.extent(0)});
  scheme->bias<double>(context, {query, keys, 0}, std::as_const(table).layer(0), out);
  return {out.flat().begin(), out.flat().end()};
}

// The paper's formula in float64; the published code works in float32.
int bucket_in_double(double offset, int buckets, int max_distance, bool bidirectional) {
  const int side = bidirectional ? buckets / 2 : buckets, exact = side / 2;
  const double n = bidirectional ? std::abs(offset) : std::max(-offset, 0.0);
  const int base = bidirectional && offset > 0 ? side : 0;
  if (n < exact) return base + static_cast<int>(n);
  return base + std::min(side - 1, exact + static_cast<int>(std::log(n / exact) / std::log(1.0 * max_distance / exact) *
                                                            (side - exact)));
}

}  // namespace

TEST_CASE("t5: published buckets, causal 32/128") {
  std::vector<double> offsets;
  std::vector<int> wanted;
  const auto expect = [&](int distance, int bucket) { offsets.push_back(-distance), wanted.push_back(bucket); };
  for (int d = 0; d < 16; ++d) expect(d, d);
  for (const auto& [distance, bucket] : std::vector<std::pair<int, int>>{{16, 16},
                                                                         {18, 16},
                                                                         {19, 17},
                                                                         {20, 17},
                                                                         {24, 19},
                                                                         {32, 21},
                                                                         {48, 24},
                                                                         {64, 26},
                                                                         {96, 29},
                                                                         {112, 30},
                                                                         {113, 31},
                                                                         {128, 31},
                                                                         {4000000, 31}})
    expect(distance, bucket);
  for (const int ahead : {1, 2, 1000}) expect(-ahead, 0);  // keys to the right share the bucket of the query itself
  CHECK(buckets_of(parameters(32, 128, false), offsets) == wanted);
}

TEST_CASE("t5: bidirectional 32/128 has one bucket from 91 on, on either side, and never uses row 16") {
  std::vector<double> offsets;
  for (int r = -300; r <= 300; ++r) offsets.push_back(r);
  const std::vector<int> buckets = buckets_of(parameters(32, 128, true), offsets);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    CHECK(buckets[i] == bucket_in_double(offsets[i], 32, 128, true));
    CHECK((buckets[i] == 15) == (offsets[i] <= -91));
    CHECK((buckets[i] == 31) == (offsets[i] >= 91));
  }
  CHECK(std::set<int>(buckets.begin(), buckets.end()).size() == 31);
  CHECK(std::count(buckets.begin(), buckets.end(), 16) == 0);
}

TEST_CASE("t5: float32 logarithm, as published: 18 buckets, bidirectional, differ from float64 at 8, 16 and 64") {
  std::vector<double> offsets;
  for (int n = 0; n <= 200; ++n) offsets.push_back(-n);
  const std::vector<int> buckets = buckets_of(parameters(18, 128, true), offsets);
  std::vector<int> differing;
  for (int n = 0; n <= 200; ++n)
    if (buckets[static_cast<std::size_t>(n)] != bucket_in_double(-n, 18, 128, true)) differing.push_back(n);
  CHECK(differing == std::vector<int>{8, 16, 64});
}

TEMPLATE_TEST_CASE("t5: the bias is the table's entry of bucket and head, whatever the tile", "", float, double) {
  using S = TestType;
  const bool bidirectional = GENERATE(false, true);
  const auto scheme = check::scheme("t5", parameters(8, 16, bidirectional), {6, 3, 512});
  const auto weights = check::random_weights<S>(*scheme, "table");
  for (const auto& keys : {check::consecutive(20), check::positions({19, 3, 4, 1000, 0})}) {
    const auto queries = check::positions({7, 0, 19});
    Array<S> out({3, 3, keys.extent(0)});
    scheme->bias<S>(context, {queries, keys, 7}, weights.layer(0), out);
    for (Index h = 0; h < 3; ++h)
      for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < keys.extent(0); ++j)
          CHECK(out(h, i, j) ==
                weights.arrays()[0][0](bucket_in_double(keys(j, 0) - queries(i, 0), 8, 16, bidirectional), h));
  }
}

TEST_CASE("t5: scale, initial weights, claims") {
  const auto scheme = check::scheme("t5", {}, {64, 4, 512}),
             scaled = check::scheme("t5", {{"scaled", Value(true)}}, {64, 4, 512});
  CHECK(scheme->logit_scale() == 1);
  CHECK(scaled->logit_scale() == 0.25);
  REQUIRE(scheme->weights().size() == 1);
  CHECK(scheme->weights()[0].shape == std::array<Index, 4>{32, 4, 1, 1});
  CHECK_FALSE(scheme->weights()[0].per_layer);
  CHECK(scheme->weights()[0].second == 0.125);
  CHECK(scheme->claims(POSLAB_RELATIVE));
  CHECK(scheme->claims(POSLAB_CONTENT_FREE));
  CHECK(scheme->claims(POSLAB_LENGTH_FREE));
  CHECK(scheme->claims(POSLAB_BOUNDED));
  CHECK_FALSE(scheme->claims(POSLAB_SYMMETRIC));
  CHECK(scheme->mask() == host::Mask::any);
}

TEST_CASE("t5: what cannot be bucketed is refused") {
  const auto make = [](std::int64_t buckets, std::int64_t far, bool both) {
    check::scheme("t5", parameters(buckets, far, both), {4, 2, 512});
  };
  CHECK_THROWS_AS(make(33, 128, true), data::Refused);
  CHECK_THROWS_WITH(make(33, 128, true), check::contains("even number of buckets"));
  CHECK_THROWS_WITH(make(2, 128, true), check::contains("at least 4"));
  CHECK_THROWS_WITH(make(32, 16, false), check::contains("max_distance must be greater than 16"));
  CHECK_NOTHROW(make(32, 17, false));
  CHECK_NOTHROW(make(2, 2, false));
  CHECK_THROWS_WITH(make(1, 128, false), check::contains("\"buckets\" is 1"));
}

TEST_CASE("t5: its gradient is that of central differences, and the derived one") {
  const bool bidirectional = GENERATE(false, true);
  const auto values = parameters(8, 16, bidirectional);
  const auto scheme = check::scheme("t5", values, {6, 3, 512}), derived = check::derived("t5", values, {6, 3, 512});
  auto weights = check::random_weights(*scheme, "table");
  host::Weights<double> by_hand(scheme->weights(), 1), by_tape(scheme->weights(), 1);
  for (const auto& keys : {check::consecutive(12), check::positions({40, 0, 1, 2, 9, 9})}) {
    const auto queries = check::positions({5, 0, 11, 2});
    const auto by_bias = check::random({3, 4, keys.extent(0)}, "gradient");
    const auto given = std::as_const(weights).layer(0);
    const host::Tile tile{queries, keys, 0};
    by_hand.arrays()[0][0].fill(0), by_tape.arrays()[0][0].fill(0);
    scheme->bias_gradient<double>(context, tile, given, by_bias, by_hand.layer(0));
    derived->bias_gradient<double>(context, tile, given, by_bias, by_tape.layer(0));
    Array<double> out({3, 4, keys.extent(0)});
    const auto loss = [&] {
      scheme->bias<double>(context, tile, given, out);
      return check::inner(out, by_bias);
    };
    CHECK(check::is_gradient(loss, weights.arrays()[0][0], by_hand.arrays()[0][0]));
    CHECK(check::largest_difference(by_hand.arrays()[0][0], by_tape.arrays()[0][0]) < 1e-13);
  }
}
