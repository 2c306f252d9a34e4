// SPDX-License-Identifier: Apache-2.0
#include "poslab/numerics/statistics.hpp"

#include "catch.hpp"

using namespace poslab::numerics;

TEST_CASE("moments of known numbers") {
  Moments moments;
  for (const double x : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, -9.0}) moments.add(x);
  CHECK(moments.count() == 8);
  CHECK(moments.mean() == check::Approx(2.75));
  CHECK(moments.variance() == check::Approx(29.0 - 2.75 * 2.75));
  CHECK(moments.root_mean_square() == check::Approx(std::sqrt(29.0)));
  CHECK(moments.lowest() == -9);
  CHECK(moments.highest() == 7);
  CHECK(moments.largest_magnitude() == 9);
}

TEST_CASE("moments far from zero keep their variance") {
  Moments moments;
  for (const double x : {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}) moments.add(x);
  CHECK(moments.variance() == check::Approx(22.5));
}

TEST_CASE("moments of nothing, and ratios of nothing") {
  CHECK(Moments().variance() == 0);
  CHECK(Moments().root_mean_square() == 0);
  CHECK(Moments().largest_magnitude() == 0);
  CHECK(ratio_or_zero(0, 0) == 0);
  CHECK(ratio_or_zero(1, 4) == 0.25);
  CHECK(std::isinf(ratio_or_zero(1, 0)));
}
