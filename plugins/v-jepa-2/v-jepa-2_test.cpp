// SPDX-License-Identifier: Apache-2.0
// Its formula is held by the golden cases of tests/golden/made.py. Dimension letters: H heads, K head width, N
// positions.
#include <algorithm>

#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{64, 512, false};

Array<double> rotated(const host::Scheme& scheme, const Array<double>& positions, const Array<double>& x) {
  Array<double> out = x.copy();
  scheme.transform<double>(context, host::Side::query, positions, {}, out);
  return out;
}
const data::Values fixed{{"fixed", Value(true)}};

// The positions of 0 .. N-1 on the axis of rows.
Array<double> along_rows(Index N) {
  Array<double> out({N, 3});
  for (Index n = 0; n < N; ++n) out(n, 1) = static_cast<double>(n);
  return out;
}

// |y|^2 / |x|^2 of the rows' part of a unit vector on one pair of channels, at its least and largest over positions.
std::pair<double, double> stretch(const host::Scheme& scheme, Index R, Index N) {
  const Index K = scheme.model().head_width();
  double least = INFINITY, largest = 0;
  for (Index pair = 0; pair < R / 2; ++pair)
    for (int slant = 0; slant < 16; ++slant) {
      Array<double> x({1, N, K});
      for (Index n = 0; n < N; ++n)
        x(0, n, R + 2 * pair) = std::cos(slant * 0.2), x(0, n, R + 2 * pair + 1) = std::sin(slant * 0.2);
      const auto y = rotated(scheme, along_rows(N), x);
      for (Index n = 0; n < N; ++n) {
        double square = 0;
        for (Index c = 0; c < K; ++c) square += y(0, n, c) * y(0, n, c);
        least = std::min(least, square), largest = std::max(largest, square);
      }
    }
  return {least, largest};
}

}  // namespace

TEST_CASE("v-jepa-2: as published it is no rotation, fixed it is") {
  const auto published = check::scheme("v-jepa-2", {}, {64, 1, 512}),
             right = check::scheme("v-jepa-2", fixed, {64, 1, 512});
  const auto [least, largest] = stretch(*published, 20, 64);
  CHECK(least < 0.2);
  CHECK(largest > 1.8);
  const auto [even, still] = stretch(*right, 20, 64);
  CHECK_THAT(even, check::WithinAbs(1, 1e-12));
  CHECK_THAT(still, check::WithinAbs(1, 1e-12));
  CHECK_FALSE(published->claims(POSLAB_RELATIVE));
  CHECK(right->claims(POSLAB_ISOMETRY));
}

TEST_CASE("v-jepa-2: with one frequency an axis, both are the same, channels beyond three axes stay") {
  const auto published = check::scheme("v-jepa-2", {}, {8, 1, 512}),
             right = check::scheme("v-jepa-2", fixed, {8, 1, 512});
  const auto x = check::random({1, 7, 8}, "x");
  const auto out = rotated(*published, along_rows(7), x);
  CHECK(check::largest_difference(out, rotated(*right, along_rows(7), x)) == 0);
  for (Index n = 0; n < 7; ++n)
    for (Index c = 6; c < 8; ++c) CHECK(out(0, n, c) == x(0, n, c));
}

TEST_CASE("v-jepa-2: the gradient is the transposed map") {
  const bool right = GENERATE(true, false);
  const data::Values parameters = right ? fixed : data::Values{};
  const auto scheme = check::scheme("v-jepa-2", parameters, {40, 2, 512}),
             derived = check::derived("v-jepa-2", parameters, {40, 2, 512});
  auto x = check::random({2, 5, 20}, "x");
  const auto seed = check::random({2, 5, 20}, "g");
  const auto loss = [&] { return check::inner(rotated(*scheme, along_rows(5), x), seed); };
  const auto gradient_of = [&](const host::Scheme& one) {
    Array<double> gradient = seed.copy();
    one.transform_gradient<double>(context, host::Side::query, along_rows(5), {}, gradient, {}, x);
    return gradient;
  };
  CHECK(check::is_gradient(loss, x, gradient_of(*scheme), 1e-8));
  CHECK(check::largest_difference(gradient_of(*scheme), gradient_of(*derived)) < 1e-14);
}

TEST_CASE("v-jepa-2: a head needs six channels") {
  CHECK_THROWS_WITH(check::scheme("v-jepa-2", {}, {5, 1, 64}), check::contains("at least 6, not 5"));
}
