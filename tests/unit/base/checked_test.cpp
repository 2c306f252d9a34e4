// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/array.hpp"

#include <new>

#include "catch.hpp"

using namespace poslab::base;

namespace {

std::optional<Index> product_of(std::initializer_list<Index> factors, Index most = std::numeric_limits<Index>::max()) {
  return checked_product({factors.begin(), factors.size()}, most);
}

}  // namespace

TEST_CASE("a product that cannot be had is none") {
  constexpr Index large = Index{1} << 32, largest = std::numeric_limits<Index>::max();
  CHECK(product_of({}) == 1);
  CHECK(product_of({3, 4, 5}) == 60);
  CHECK(product_of({3, 4, 5}, 60) == 60);
  CHECK(product_of({largest, 1}) == largest);
  CHECK(product_of({3, 0, 5}) == 0);
  CHECK(product_of({3, 4, 5}, 59) == std::nullopt);
  CHECK(product_of({large, large}) == std::nullopt);
  CHECK(product_of({large, large, 0}) == std::nullopt);
  CHECK(product_of({3, 0x2AAAAAAAAAAAAAAB}) == std::nullopt);  // 1 more than there are numbers: it would come out as 1
  CHECK(product_of({-1, -8}) == std::nullopt);
  CHECK(product_of({std::numeric_limits<Index>::min(), 2}) == std::nullopt);
}

TEST_CASE("arrays that no memory holds are refused, whatever their extents multiply to") {
  constexpr Index large = Index{1} << 32;
  CHECK_THROWS_AS((Array<double>{large, large}), std::bad_alloc);
  CHECK_THROWS_AS((Array<double>{Index{1} << 61}), std::bad_alloc);
  CHECK_THROWS_AS((Array<float>{Index{1} << 62, 4}), std::bad_alloc);
  CHECK_THROWS_AS((Array<double>{-1}), std::bad_alloc);
  CHECK_THROWS_AS((Array<double>{-1, -8}), std::bad_alloc);
  CHECK(Array<double>{0, 8}.size() == 0);
}
