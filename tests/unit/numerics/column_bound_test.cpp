// SPDX-License-Identifier: Apache-2.0
// The bounds that rule pairs out: never above the truth, whatever the table.
#include "bounded_pairs.hpp"

#include <cmath>

#include "catch.hpp"
#include "poslab/numerics/closest_pair.hpp"
#include "tables.hpp"

using namespace poslab::numerics;

TEST_CASE("column bounds are never above the squared distance, nor the last upper bound below it") {
  const Index N = 150, W = GENERATE(1, 31, 32, 33, 200, 600);
  for (const tables::Named& table : tables::hard_tables(N, W)) {
    CAPTURE(table.name, W);
    std::vector<const double*> rows;
    for (Index i = 0; i < N; ++i) rows.push_back(&table.rows(i, 0));
    const ColumnBound bound(rows, W);
    poslab::base::Array<float> products{N, N};
    Index wrong = 0;
    for (Index stage = 0; stage < bound.stages(); ++stage) {
      bound.add_products(stage, 0, N, 0, N, products.data());
      const bool is_last = stage + 1 == bound.stages();
      for (Index i = 0; i < N; ++i)
        for (Index j = 0; j < N; ++j) {
          const float limit =
              bound.to_limit(squared_distance(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(j)], W));
          wrong += !(bound.low(stage)[i] + bound.low(stage)[j] - 2 * products(i, j) <= limit);
          if (is_last)
            wrong +=
                !(bound.high()[i] + bound.high()[j] - 2 * products(i, j) + 1e-36f >= limit * (1 - 0x1p-20f) - 2e-36f);
        }
    }
    CHECK(wrong == 0);
    CHECK(bound.columns_until(bound.stages() - 1) == W);
  }
}
