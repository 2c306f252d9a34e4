// SPDX-License-Identifier: Apache-2.0
// Its formula is held by the golden cases of tests/golden/made.py. Dimension letters: H heads, K head width, N
// positions.
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{64, 512, false};
constexpr Index K = 16;

std::unique_ptr<host::Scheme> on(double rows, double columns, const char* normalise = "separate") {
  return check::scheme(
      "axial-normalised",
      {{"grid", Value(std::vector<double>{rows, columns})}, {"normalise", Value(std::string(normalise))}}, {K, 1, 512});
}
Array<double> rotated(const host::Scheme& scheme, double row, double column, const Array<double>& x) {
  Array<double> positions({1, 2}), out = x.copy();
  positions(0, 0) = row, positions(0, 1) = column;
  scheme.transform<double>(context, host::Side::query, positions, {}, out);
  return out;
}

}  // namespace

TEST_CASE("axial-normalised: the same share of an image is the same code at any resolution") {
  const auto x = check::random({1, 1, K}, "x");
  // A patch of 4 x 4 is four of 8 x 8, whose centre is its own.
  CHECK(check::largest_difference(rotated(*on(4, 4), 1, 2, x), rotated(*on(8, 8), 2.5, 4.5, x)) < 1e-14);
  CHECK(check::largest_difference(rotated(*on(4, 4), 1, 2, x), rotated(*on(8, 8), 1, 2, x)) > 0.1);
}

TEST_CASE("axial-normalised: a square image has one extent, an oblong one three ways to count") {
  const auto x = check::random({1, 1, K}, "x");
  const auto square = rotated(*on(6, 6), 1, 4, x);
  CHECK(check::largest_difference(square, rotated(*on(6, 6, "max"), 1, 4, x)) == 0);
  CHECK(check::largest_difference(square, rotated(*on(6, 6, "min"), 1, 4, x)) == 0);
  const auto oblong = rotated(*on(3, 6), 1, 4, x);
  CHECK(check::largest_difference(oblong, rotated(*on(3, 6, "max"), 1, 4, x)) > 0.1);
  CHECK(check::largest_difference(oblong, rotated(*on(3, 6, "min"), 1, 4, x)) > 0.1);
  CHECK(check::largest_difference(rotated(*on(3, 6, "max"), 1, 4, x), square) < 1e-14);
}

TEST_CASE("axial-normalised: the middle of the image is not rotated, relative within one grid") {
  const auto scheme = on(7, 5);
  const auto q = check::random({1, 1, K}, "q"), k = check::random({1, 1, K}, "k");
  CHECK(check::largest_difference(rotated(*scheme, 3, 2, q), q) < 1e-15);
  const auto logit = [&](double shift) {
    return check::inner(rotated(*scheme, 1 + shift, 3 - shift, q), rotated(*scheme, shift, 1 - shift, k));
  };
  CHECK_THAT(logit(0), check::WithinAbs(logit(4), 1e-13));
}

TEST_CASE("axial-normalised: what is refused") {
  CHECK_THROWS_WITH(check::scheme("axial-normalised", {}, {6, 1, 64}), check::contains("a multiple of 4, not 6"));
  CHECK_THROWS_WITH(check::scheme("axial-normalised", {{"grid", Value(std::vector<double>{4, 4, 4})}}, {8, 1, 64}),
                    check::contains("rows and columns, not 3"));
  CHECK_THROWS_WITH(check::scheme("axial-normalised", {{"max_period", Value(8.0)}}, {8, 1, 64}),
                    check::contains("given together"));
}
