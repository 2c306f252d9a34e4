// SPDX-License-Identifier: Apache-2.0
// Spreads within classes against plain loops, and against diagonals where the classes are offsets.
#include "poslab/numerics/class_spread.hpp"

#include <cmath>
#include <limits>

#include "catch.hpp"

using namespace poslab::numerics;
using poslab::base::Index;
using poslab::base::View;

namespace {

double score(Index h, Index m, Index n) { return std::sin(static_cast<double>(7 * h + 3 * m * m + 5 * n)); }

void some_rows(Index first, View<double> out) {
  for (Index h = 0; h < out.shape[0]; ++h)
    for (Index m = 0; m < out.shape[1]; ++m)
      for (Index n = 0; n < out.shape[2]; ++n) out(h, m, n) = score(h, first + m, n);
}

}  // namespace

TEST_CASE("spread within classes, by plain loops, a class of no pairs has none") {
  const Index H = 2, N = 37, classes = 6;
  std::vector<Class> class_of;
  for (Index m = 0; m < N; ++m)
    for (Index n = 0; n < N; ++n) class_of.push_back(static_cast<Class>((m * n + m) % 5));
  std::vector<double> expected(classes, 0);
  double squares = 0;
  for (Index h = 0; h < H; ++h)
    for (Index c = 0; c < classes; ++c) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (Index m = 0; m < N; ++m)
        for (Index n = 0; n < N; ++n) {
          if (class_of[static_cast<std::size_t>(m * N + n)] != c) continue;
          low = std::min(low, score(h, m, n)), high = std::max(high, score(h, m, n));
          squares += score(h, m, n) * score(h, m, n);
        }
      auto& largest = expected[static_cast<std::size_t>(c)];
      if (low <= high) largest = std::max(largest, high - low);
    }
  const Index numbers_at_once = GENERATE(1, 500, 100000);
  const ClassSpread found = class_spread<double>(H, N, class_of, classes, some_rows, numbers_at_once);
  CHECK(found.spread == expected);
  CHECK(found.spread[5] == 0);
  CHECK(found.largest() == *std::max_element(expected.begin(), expected.end()));
  CHECK(found.mean_square == check::Approx(squares / static_cast<double>(H * N * N)).epsilon(1e-13));
}

TEST_CASE("spread within classes of equal offset is the spread along diagonals") {
  const Index H = 3, N = 50;
  std::vector<Class> class_of;
  for (Index m = 0; m < N; ++m)
    for (Index n = 0; n < N; ++n) class_of.push_back(static_cast<Class>(m - n + N - 1));
  const ClassSpread among = class_spread<double>(H, N, class_of, 2 * N - 1, some_rows);
  const DiagonalSpread along = diagonal_spread<double>(H, N, some_rows);
  CHECK(among.spread == along.spread);
  CHECK(among.mean_square == along.mean_square);
  const ClassSpread seen = class_spread<double>(H, N, class_of, 2 * N - 1, some_rows, 1000, Pairs::causal);
  const DiagonalSpread lower = diagonal_spread<double>(H, N, some_rows, 1000, Pairs::causal);
  CHECK(seen.spread == lower.spread);
  CHECK(seen.mean_square == lower.mean_square);
  CHECK(seen.mean_square != among.mean_square);
}
