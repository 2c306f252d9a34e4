// SPDX-License-Identifier: Apache-2.0
// Many rows at a time give the bits of one at a time.
#include <cmath>
#include <limits>
#include <vector>

#include "catch.hpp"
#include "poslab/sdk/many_rows.hpp"

using namespace poslab;

namespace {

// Numbers without a pattern that rounding could follow.
template <class S>
std::vector<std::vector<S>> scattered_rows(Index count, std::size_t width, double phase) {
  std::vector<std::vector<S>> rows(static_cast<std::size_t>(count), std::vector<S>(width));
  double next = phase;
  for (auto& row : rows)
    for (S& x : row) x = static_cast<S>(std::sin(next += 1.7));
  return rows;
}

template <class S>
auto rows_of(const std::vector<std::vector<S>>& rows) {
  return [&rows](Index r) { return Row<const S>(rows[static_cast<std::size_t>(r)]); };
}

}  // namespace

TEMPLATE_TEST_CASE("products with many rows have the bits of dot", "", float, double) {
  using S = TestType;
  const Index count = GENERATE(0, 1, 3, 4, 7, 8);
  const std::size_t width = GENERATE(0U, 1U, 5U, 16U, 31U, 64U);
  const auto rows = scattered_rows<S>(count, width, 0);
  const std::vector<S> a = scattered_rows<S>(1, width, 0.3)[0];
  Index next = 0;
  for_dots(a, count, rows_of(rows), [&](Index r, S product) {
    CHECK(r == next++);
    CHECK(product == dot(a, rows[static_cast<std::size_t>(r)]));
  });
  CHECK(next == count);
}

TEMPLATE_TEST_CASE("many scaled rows are added with the bits of one after another", "", float, double) {
  using S = TestType;
  const Index count = GENERATE(0, 1, 3, 4, 7, 12);
  const std::size_t width = GENERATE(1U, 5U, 16U, 33U);
  auto rows = scattered_rows<S>(count, width, 0);
  auto factors = scattered_rows<S>(1, 12, 0.3)[0];
  for (Index r = 2; r < count; r += 3) {  // left out, whatever is in them
    factors[static_cast<std::size_t>(r)] = 0;
    rows[static_cast<std::size_t>(r)].assign(width, std::numeric_limits<S>::quiet_NaN());
  }
  std::vector<S> out = scattered_rows<S>(1, width, 0.6)[0], expected = out;
  add_scaled_rows(
      out, count, [&](Index r) { return factors[static_cast<std::size_t>(r)]; }, rows_of(rows));
  for (std::size_t r = 0; r < static_cast<std::size_t>(count); ++r)
    if (factors[r] != 0) add_scaled(expected, factors[r], rows[r]);
  CHECK(out == expected);
}

TEST_CASE("a row that is too short is refused among many, too") {
  const std::vector<std::vector<double>> rows{{1, 2}, {3, 4}, {5}, {6, 7}};
  std::vector<double> out(2);
  CHECK_THROWS(for_dots(out, 4, rows_of(rows), [](Index, double) {}));
  CHECK_THROWS(add_scaled_rows(
      out, 4, [](Index) { return 1.0; }, rows_of(rows)));
}
