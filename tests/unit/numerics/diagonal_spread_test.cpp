// SPDX-License-Identifier: Apache-2.0
// The spread along diagonals: closed forms, plain loops, both ways of giving scores, any number of threads.
#include "poslab/numerics/diagonal_spread.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cmath>

#include "catch.hpp"
#include "naive.hpp"
#include "tables.hpp"

using namespace poslab::numerics;
using poslab::base::Array;

namespace {

Array<double> factor(Index H, Index N, Index W, const std::string& key) {
  Array<double> out{H, N, W};
  poslab::base::Stream(key).fill_normal(out);
  return out;
}

void check_near(const DiagonalSpread& a, const DiagonalSpread& b, double tolerance) {
  REQUIRE(a.spread.size() == b.spread.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.spread.size(); ++i) {
    REQUIRE(std::isfinite(a.spread[i]));
    worst = std::max(worst, std::abs(a.spread[i] - b.spread[i]));
  }
  CHECK(worst <= tolerance);
  CHECK(a.mean_square == check::Approx(b.mean_square).epsilon(tolerance));
}

}  // namespace

TEST_CASE("diagonal spread: the index's products m n spread by (N-1-|r|)(N-1) along m - n = r (closed form)") {
  const Index N = GENERATE(1, 2, 3, 255, 256, 257, 600);
  Array<double> index{1, N, 1};
  for (Index p = 0; p < N; ++p) index(0, p, 0) = static_cast<double>(p);
  const DiagonalSpread found = diagonal_spread<double>(index, index);
  REQUIRE(found.spread.size() == static_cast<std::size_t>(2 * N - 1));
  double last = static_cast<double>(N - 1);
  for (Index offset = 1 - N; offset < N; ++offset) {
    const double rest = last - std::abs(static_cast<double>(offset));
    // m n with m = n + |r|, n = 0 .. rest: from 0 to rest (rest + |r|) = rest (N - 1)
    REQUIRE(found.spread[static_cast<std::size_t>(offset + N - 1)] == rest * last);
  }
  const double mean_square_of_index = last * (2 * last + 1) / 6;
  CHECK(found.mean_square == check::Approx(mean_square_of_index * mean_square_of_index).epsilon(1e-14));
  CHECK(found.largest() == last * last);
}

TEST_CASE("diagonal spread of products is that of plain loops") {
  const Index H = GENERATE(1, 3), N = GENERATE(1, 2, 100, 300, 520), W = GENERATE(1, 5, 130);
  const Array<double> left = factor(H, N, W, "left"), right = factor(H, N, W, "right");
  CAPTURE(H, N, W);
  check_near(diagonal_spread<double>(left, right), naive::diagonal_spread<double>(left, right), 1e-12);
  check_near(diagonal_spread<double>(left, left), naive::diagonal_spread<double>(left, left), 1e-12);
}

TEST_CASE("diagonal spread of the pairs that a causal mask shows is that of plain loops") {
  const Index H = GENERATE(1, 3), N = GENERATE(1, 2, 100, 257, 520), W = 5;
  const Array<double> left = factor(H, N, W, "left"), right = factor(H, N, W, "right");
  const ScoreRows<double> rows = [&](Index first, View<double> out) {
    for (Index h = 0; h < H; ++h)
      for (Index m = 0; m < out.shape[1]; ++m)
        for (Index n = 0; n < N; ++n) {
          out(h, m, n) = n > first + m ? std::nan("") : 0;  // what is hidden is not looked at
          for (Index k = 0; k < W; ++k) out(h, m, n) += left(h, first + m, k) * right(h, n, k);
        }
  };
  CAPTURE(H, N);
  const DiagonalSpread plain = naive::diagonal_spread<double>(left, right, Pairs::causal);
  check_near(diagonal_spread<double>(left, right, Pairs::causal), plain, 1e-12);
  check_near(diagonal_spread<double>(left, left, Pairs::causal),
             naive::diagonal_spread<double>(left, left, Pairs::causal), 1e-12);
  check_near(diagonal_spread<double>(H, N, rows, 1000, Pairs::causal), plain, 1e-12);
}

TEST_CASE("diagonal spread: heads that repeat another count as often as they are there") {
  const Index N = 300, W = 20;
  const Array<double> two = factor(2, N, W, "two");
  Array<double> left{5, N, W}, right{5, N, W};
  for (Index h = 0; h < 5; ++h)
    for (Index i = 0; i < N * W; ++i) {
      left.view()[h].data[i] = two.view()[h == 3 ? 1 : 0].data[i];
      right.view()[h].data[i] = two.view()[h == 4 ? 1 : 0].data[i];  // head 4: left as others, right its own
    }
  check_near(diagonal_spread<double>(left, right), naive::diagonal_spread<double>(left, right), 1e-12);
}

TEST_CASE("diagonal spread in float32 is that of plain loops") {
  Array<float> left{2, 300, 64};
  for (Index i = 0; i < left.size(); ++i) left.data()[i] = std::sin(static_cast<float>(i));
  check_near(diagonal_spread<float>(left, left), naive::diagonal_spread<float>(left, left), 1e-4);
}

TEST_CASE("diagonal spread of rows is that of the same scores as a product") {
  const Index H = 2, N = GENERATE(1, 7, 900), W = 3;
  const Array<double> left = factor(H, N, W, "left"), right = factor(H, N, W, "right");
  const ScoreRows<double> rows = [&](Index first, View<double> out) {
    for (Index h = 0; h < H; ++h)
      for (Index m = 0; m < out.shape[1]; ++m)
        for (Index n = 0; n < N; ++n) {
          out(h, m, n) = 0;
          for (Index k = 0; k < W; ++k) out(h, m, n) += left(h, first + m, k) * right(h, n, k);
        }
  };
  check_near(diagonal_spread<double>(H, N, rows), naive::diagonal_spread<double>(left, right), 1e-12);
}

TEST_CASE("diagonal spread: one wrong pair of 10^6 is found, on its own diagonal") {
  const Index N = 1000;
  const ScoreRows<double> rows = [&](Index first, View<double> out) {
    for (Index m = 0; m < out.shape[1]; ++m)
      for (Index n = 0; n < N; ++n) out(0, m, n) = first + m == 700 && n == 20 ? 2.5 : 1.0;
  };
  const DiagonalSpread found = diagonal_spread<double>(1, N, rows);
  for (Index offset = 1 - N; offset < N; ++offset)
    REQUIRE(found.spread[static_cast<std::size_t>(offset + N - 1)] == (offset == 680 ? 1.5 : 0.0));
}

TEST_CASE("diagonal spread: not a number anywhere shows in the mean square") {
  const ScoreRows<double> rows = [](Index first, View<double> out) {
    for (Index m = 0; m < out.shape[1]; ++m)
      for (Index n = 0; n < 40; ++n) out(0, m, n) = first + m == 30 && n == 2 ? std::nan("") : 1.0;
  };
  CHECK_FALSE(std::isfinite(diagonal_spread<double>(1, 40, rows).mean_square));
}

TEST_CASE("diagonal spread: the same bits on 1, 2 and 8 threads") {
  const Index H = 3, N = 700, W = 150;
  const Array<double> left = factor(H, N, W, "left"), right = factor(H, N, W, "right");
  const ScoreRows<double> rows = [&](Index first, View<double> out) {
    for (Index i = 0; i < out.size(); ++i) out.data[i] = left.data()[(first * 31 + i) % (H * N * W)];
  };
  std::vector<DiagonalSpread> symmetric, general, of_rows;
  for (const std::size_t threads : {1, 2, 8}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    tbb::task_arena arena(static_cast<int>(threads));
    arena.execute([&] {
      symmetric.push_back(diagonal_spread<double>(left, left));
      general.push_back(diagonal_spread<double>(left, right));
      of_rows.push_back(diagonal_spread<double>(H, N, rows));
    });
    for (const auto* all : {&symmetric, &general, &of_rows}) {
      CHECK(all->back().spread == all->front().spread);
      CHECK(all->back().mean_square == all->front().mean_square);
    }
  }
}
