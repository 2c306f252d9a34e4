// SPDX-License-Identifier: Apache-2.0
// Heads side by side, and apart, by hand.
#include "poslab/attention/heads.hpp"

#include <algorithm>
#include <vector>

#include "catch.hpp"

using namespace poslab;
using base::Index;

namespace {

template <class S>
std::vector<S> numbers(const base::Array<S>& array) {
  return {array.data(), array.data() + array.size()};
}

// 2 tokens, 3 heads of width 2: entry = 10 token + column.
template <class S>
base::Array<S> two_rows() {
  base::Array<S> rows{2, 6};
  for (Index n = 0; n < 2; ++n)
    for (Index d = 0; d < 6; ++d) rows(n, d) = static_cast<S>(10 * n + d);
  return rows;
}

}  // namespace

TEMPLATE_TEST_CASE("heads: each has its own columns of every row, and joined they are the rows again", "", float,
                   double) {
  const base::Array<TestType> rows = two_rows<TestType>();
  const base::Array<TestType> heads = attention::split_heads<TestType>(rows, 3);
  REQUIRE(heads.rank() == 3);
  CHECK(heads.extent(0) == 3);
  CHECK(heads.extent(2) == 2);
  CHECK(numbers(heads) == std::vector<TestType>{0, 1, 10, 11, 2, 3, 12, 13, 4, 5, 14, 15});
  CHECK(numbers(attention::join_heads<TestType>(heads)) == numbers(rows));
}

TEMPLATE_TEST_CASE("heads: what is added to rows reaches the head whose columns it is in", "", float, double) {
  const base::Array<TestType> rows = two_rows<TestType>();
  base::Array<TestType> heads{3, 2, 2};
  heads.fill(100);
  attention::add_to_heads<TestType>(rows, heads);
  CHECK(numbers(heads) == std::vector<TestType>{100, 101, 110, 111, 102, 103, 112, 113, 104, 105, 114, 115});
}
