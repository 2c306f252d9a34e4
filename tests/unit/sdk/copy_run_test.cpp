// SPDX-License-Identifier: Apache-2.0
// Copies past the caches are copies: every length, wherever the runs begin.
#include "poslab/sdk/copy_run.hpp"

#include <vector>

#include "catch.hpp"

TEMPLATE_TEST_CASE("a run is copied past the caches whatever its length and alignment, and nothing beside it", "",
                   float, double) {
  using poslab::Index;
  std::vector<TestType> from(200);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<TestType>(i + 1);
  for (Index source = 0; source < 9; ++source)
    for (Index target = 0; target < 17; ++target)
      for (Index count = 0; count < 70; ++count) {
        std::vector<TestType> to(100, TestType(-1));
        poslab::sdk::copy_run_past_caches(from.data() + source, count, to.data() + target);
        poslab::sdk::finish_copies();
        for (Index i = 0; i < 100; ++i) {
          const bool inside = i >= target && i < target + count;
          REQUIRE(to[static_cast<std::size_t>(i)] ==
                  (inside ? from[static_cast<std::size_t>(source + i - target)] : TestType(-1)));
        }
      }
}
