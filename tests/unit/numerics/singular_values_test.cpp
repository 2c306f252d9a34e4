// SPDX-License-Identifier: Apache-2.0
#include "poslab/numerics/decompositions.hpp"

#include <cmath>

#include "catch.hpp"

using poslab::base::Array;
using poslab::numerics::singular_values;

TEST_CASE("singular values fall, whatever the shape: sqrt(45) and sqrt(5) of a matrix and of its transpose") {
  // [3 0; 4 5]: the product with its transpose has trace 50 and determinant 225.
  Array<double> a{2, 2}, wide{2, 3}, tall{3, 2};
  a(0, 0) = 3, a(1, 0) = 4, a(1, 1) = 5;
  wide(0, 0) = 3, wide(1, 0) = 4, wide(1, 2) = 5;
  tall(0, 0) = 3, tall(0, 1) = 4, tall(2, 1) = 5;
  for (const Array<double>* matrix : {&a, &wide, &tall}) {
    const std::vector<double> values = singular_values(*matrix);
    REQUIRE(values.size() == 2);
    CHECK_THAT(values[0], check::WithinAbs(std::sqrt(45.0), 1e-14));
    CHECK_THAT(values[1], check::WithinAbs(std::sqrt(5.0), 1e-14));
  }
}

TEST_CASE("singular values of zeros and of one number") {
  Array<double> zeros{3, 1}, one{1, 1};
  one(0, 0) = -7;
  CHECK(singular_values(zeros) == std::vector<double>{0});
  CHECK_THAT(singular_values(one)[0], check::WithinAbs(7.0, 1e-14));
}
