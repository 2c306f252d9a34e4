// SPDX-License-Identifier: Apache-2.0
// The closest pair and nearest neighbours: closed forms, plain loops, and the same bits on any number of threads.
#include "poslab/numerics/closest_pair.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "catch.hpp"
#include "naive.hpp"
#include "tables.hpp"

using namespace poslab::numerics;
using poslab::base::Array;

namespace {

template <class S>
Array<S> as(const Array<double>& table) {
  Array<S> out{table.extent(0), table.extent(1)};
  for (Index i = 0; i < table.size(); ++i) out.data()[i] = static_cast<S>(table.data()[i]);
  return out;
}

double root_mean_square_norm(const Array<double>& table) {
  double squares = 0;
  for (const double x : table.flat()) squares += x * x;
  return std::sqrt(squares / static_cast<double>(table.extent(0)));
}

// NaN (of a lone row) equals NaN here.
bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

}  // namespace

TEMPLATE_TEST_CASE("closest pair and neighbours are those of plain loops", "", double, float) {
  const auto [N, W] =
      GENERATE(std::pair<Index, Index>{1, 1}, std::pair<Index, Index>{2, 1}, std::pair<Index, Index>{3, 5},
               std::pair<Index, Index>{70, 33}, std::pair<Index, Index>{300, 130}, std::pair<Index, Index>{530, 7});
  for (const tables::Named& table : tables::hard_tables(N, W)) {
    CAPTURE(table.name, N, W);
    if (std::is_same_v<TestType, float> && (table.name == "tiny" || table.name == "huge")) continue;  // beyond float
    const Array<TestType> rows = as<TestType>(table.rows);
    const double radius = GENERATE(0.0, 1e-9, 0.5);
    const double length = radius * root_mean_square_norm(table.rows);
    CHECK(closest_pair<TestType>(rows) == naive::closest_pair<TestType>(rows));
    for (const Radius& within : {Radius(length), Radius::share_of_norms<TestType>(radius, rows)}) {
      const Neighbours fast = nearest_neighbours<TestType>(rows, within);
      const Neighbours plain = naive::nearest_neighbours<TestType>(rows, within);
      CHECK(fast.closest == plain.closest);
      CHECK(same(fast.distance, plain.distance));
      CHECK(fast.nearest == plain.nearest);
      CHECK(fast.collisions == plain.collisions);
      CHECK(fast.distinct == plain.distinct);
    }
  }
}

TEST_CASE("closest pair: the sinusoid's neighbours, 1.952596 at D = 128 (closed form)") {
  const Array<double> table = tables::sinusoid(512, 128);
  double squared = 0;  // |e(p+1) - e(p)|^2 = sum of 2 - 2 cos w
  for (int m = 0; m < 64; ++m) squared += 2 - 2 * std::cos(std::pow(1e4, -2.0 * m / 128));
  const auto closest = closest_pair<double>(table);
  REQUIRE(closest);
  CHECK(closest->distance == check::Approx(1.952596).margin(5e-7));
  CHECK(closest->distance == check::Approx(std::sqrt(squared)).epsilon(1e-12));
  CHECK(closest->first == 0);
  CHECK(closest->second == 1);
}

TEST_CASE("closest pair: ties give the smallest pair, whichever is nearer by rounding") {
  Array<double> line{6, 1};
  const double at[] = {10, 20, 30, 31, 50, 50 + 1 - 4e-13};  // the last two are nearer by less than 1e-12
  std::copy(std::begin(at), std::end(at), line.data());
  const auto closest = closest_pair<double>(line);
  REQUIRE(closest);
  CHECK(closest->first == 2);
  CHECK(closest->second == 3);
  CHECK(closest->distance == at[5] - at[4]);

  line(5) = 50 + 1 - 4e-12;  // now by more: no tie
  CHECK(closest_pair<double>(line)->first == 4);
}

TEST_CASE("neighbours: a row between two equally near ones takes the smaller") {
  Array<double> line{5, 1};
  for (Index i = 0; i < 5; ++i) line(i) = static_cast<double>(i);
  const Neighbours neighbours = nearest_neighbours<double>(line, 0);
  CHECK(neighbours.nearest == std::vector<Index>{1, 0, 1, 2, 3});
  CHECK(neighbours.distance == std::vector<double>{1, 1, 1, 1, 1});
}

TEST_CASE("neighbours: of an equal row and one that is as near by rounding, the smaller") {
  Array<double> line{3, 1};
  const double at[] = {1e-200, 2e-200, 1e-200};  // their differences have squares of 0
  std::copy(std::begin(at), std::end(at), line.data());
  CHECK(nearest_neighbours<double>(line, 0).nearest == std::vector<Index>{1, 0, 0});
  CHECK(naive::nearest_neighbours<double>(line, 0).nearest == std::vector<Index>{1, 0, 0});
}

TEST_CASE("neighbours: a table of one kind has N(N-1)/2 collisions and one class") {
  const Index N = 20000;  // N^2 of anything would not fit a test
  const Array<double> nothing{N, 3};
  const Neighbours neighbours = nearest_neighbours<double>(nothing, 0);
  CHECK(neighbours.collisions == static_cast<double>(N) * static_cast<double>(N - 1) / 2);
  CHECK(neighbours.distinct == 1);
  CHECK(neighbours.closest == ClosestPair{0, 0, 1});
  CHECK(neighbours.nearest[0] == 1);
  CHECK(neighbours.nearest[1] == 0);
  CHECK(neighbours.nearest.back() == 0);
}

TEST_CASE("neighbours: classes are connected components, so a chain of near rows is one class") {
  Array<double> line{5, 1};
  const double at[] = {0, 0.9, 1.8, 10, 10.5};
  std::copy(std::begin(at), std::end(at), line.data());
  const Neighbours neighbours = nearest_neighbours<double>(line, 1.0);
  CHECK(neighbours.distinct == 2);
  CHECK(neighbours.collisions == 3);  // 0 and 1.8 do not collide, though they are of one class
}

TEST_CASE("neighbours: no rows, and a lone row") {
  const Array<double> none{0, 3};
  CHECK_FALSE(closest_pair<double>(none));
  CHECK(nearest_neighbours<double>(none, 0).distinct == 0);
  const Array<double> one{1, 3};
  const Neighbours neighbours = nearest_neighbours<double>(one, 0);
  CHECK_FALSE(neighbours.closest);
  CHECK(neighbours.distinct == 1);
  CHECK(neighbours.collisions == 0);
  CHECK(neighbours.nearest[0] == -1);
  CHECK(std::isnan(neighbours.distance[0]));
}

TEST_CASE("neighbours: the same bits on 1, 2 and 8 threads") {
  const Index N = 1500, W = 96;
  std::vector<tables::Named> all = tables::hard_tables(N, W);
  for (const tables::Named& table : all) {
    if (table.name == "unit vectors" || table.name == "equal but for rounding") continue;  // all pairs in full: slow
    CAPTURE(table.name);
    std::vector<Neighbours> results;
    for (const std::size_t threads : {1, 2, 8}) {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
      tbb::task_arena arena(static_cast<int>(threads));
      arena.execute([&] { results.push_back(nearest_neighbours<double>(table.rows, 0.01)); });
      CHECK(results.back().distance == results.front().distance);
      CHECK(results.back().nearest == results.front().nearest);
      CHECK(results.back().closest == results.front().closest);
      CHECK(results.back().collisions == results.front().collisions);
      CHECK(results.back().distinct == results.front().distinct);
    }
  }
}

TEST_CASE("neighbours: one large entry says nothing of how near other rows may be") {
  Array<double> rows{600, 3};
  for (Index row = 0; row < 600; ++row)
    for (Index c = 0; c < 3; ++c) rows(row, c) = std::sin(static_cast<double>(row * (c + 1))) + (row % 200 == 7);
  rows(11, 1) = 1e11;
  for (const Index row : {30, 31, 540})
    rows(row, 0) = 2 + 1e-12 * static_cast<double>(row), rows(row, 1) = rows(row, 2) = 0;
  const Radius radius = Radius::share_of_norms<double>(1e-9, rows);
  const Neighbours fast = nearest_neighbours<double>(rows, radius);
  CHECK(fast.collisions == 3);
  CHECK(fast.distinct == 598);
  CHECK(naive::nearest_neighbours<double>(rows, radius).collisions == 3);
  std::vector<Index> all;
  for (Index row = 0; row < 600; ++row) all.push_back(row);
  const SampledNeighbours sampled = sampled_neighbours<double>(rows, all, radius);
  CHECK(std::accumulate(sampled.collisions.begin(), sampled.collisions.end(), 0.0) == 6);
  // The larger of two decides: 1 and 1e11 are farther apart than 1e-9 of it, 1e11 and 1e11 + 10 are not.
  Array<double> line{3, 1};
  line(0, 0) = 1, line(1, 0) = 1e11, line(2, 0) = 1e11 + 10;
  CHECK(nearest_neighbours<double>(line, Radius::share_of_norms<double>(1e-9, line)).distinct == 2);
  // Squares that overflow collide with none but their equals.
  line(0, 0) = 1e200, line(1, 0) = -1e200, line(2, 0) = 1e200;
  CHECK(nearest_neighbours<double>(line, Radius::share_of_norms<double>(1e-9, line)).distinct == 2);
}
