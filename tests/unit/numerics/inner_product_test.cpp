// SPDX-License-Identifier: Apache-2.0
// Sums of products in their fixed order.
#include "poslab/numerics/inner_product.hpp"

#include <cmath>
#include <vector>

#include "catch.hpp"

TEMPLATE_TEST_CASE("a sum of squares has the bits of the inner product with itself, and the size of a plain sum", "",
                   double, float) {
  using poslab::numerics::Index;
  std::vector<TestType> x;
  for (Index width = 0; width < 300; ++width) {
    double plain = 0;
    for (const TestType entry : x) plain += static_cast<double>(entry) * static_cast<double>(entry);
    const double found = poslab::numerics::sum_of_squares(x.data(), width);
    REQUIRE(found == poslab::numerics::inner_product(x.data(), x.data(), width));
    REQUIRE(found == check::Approx(plain).epsilon(1e-14));
    x.push_back(static_cast<TestType>(std::sin(static_cast<double>(width * width))));
  }
}
