// SPDX-License-Identifier: Apache-2.0
// The check of outputs sees one bad number anywhere, and no good one.
#include "calls/finite.hpp"

#include <vector>

#include "catch.hpp"

using poslab::host::all_finite;
using poslab::host::first_not_finite;

TEMPLATE_TEST_CASE("all_finite sees one bad number anywhere, and no good one", "", float, double) {
  using S = TestType;
  using limits = std::numeric_limits<S>;
  std::vector<S> numbers{
      0, -S{0}, 1, limits::max(), limits::lowest(), limits::denorm_min(), limits::min(), limits::epsilon()};
  numbers.resize(37, S{3});
  const auto span = [&] { return std::span<const S>(numbers); };
  CHECK(all_finite(span(), false));
  CHECK(all_finite(span(), true));
  CHECK(all_finite(std::span<const S>(), false));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (const S bad : {limits::infinity(), -limits::infinity(), limits::quiet_NaN(), -limits::quiet_NaN()}) {
      const S good = std::exchange(numbers[i], bad);
      CHECK_FALSE(all_finite(span(), false));
      CHECK(first_not_finite(span(), false) == i);
      CHECK(all_finite(span(), true) == (bad == -limits::infinity()));
      numbers[i] = good;
    }
  }
}
