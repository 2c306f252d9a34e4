// SPDX-License-Identifier: Apache-2.0
// Tables that rotate: the certificate holds where it should and nowhere else, and what is found by it has the bits of
// the search over all pairs. Dimension letters: N rows, W columns, P planes.
#include "poslab/numerics/rotation.hpp"

#include <tbb/global_control.h>

#include <cmath>
#include <random>

#include "catch.hpp"
#include "naive.hpp"
#include "tables.hpp"
#include "thousand.hpp"

using namespace poslab::numerics;
using poslab::base::Array;

namespace {

struct RotationShape {
  Index rows, planes, copies, still;  // `still` columns of each copy do not rotate
  bool in_halves;
  double direction, first;
  Index width() const { return copies * (2 * planes + still); }
};

// By the definition, each number from its own angle, in the scalar's own rounding.
template <class S>
Array<S> rotation_table(const RotationShape& shape, const std::vector<double>& angles,
                        const std::vector<double>& start) {
  const Index B = 2 * shape.planes + shape.still;
  Array<S> table{shape.rows, shape.width()};
  for (Index p = 0; p < shape.rows; ++p)
    for (Index copy = 0; copy < shape.copies; ++copy) {
      for (Index m = 0; m < shape.planes; ++m) {
        const double angle =
            shape.direction * (shape.first + static_cast<double>(p)) * angles[static_cast<std::size_t>(m)];
        const double x = start[static_cast<std::size_t>(2 * m)], y = start[static_cast<std::size_t>(2 * m + 1)];
        const Index i = shape.in_halves ? m : 2 * m, j = shape.in_halves ? m + shape.planes : 2 * m + 1;
        table(p, copy * B + i) = static_cast<S>(x * std::cos(angle) - y * std::sin(angle));
        table(p, copy * B + j) = static_cast<S>(y * std::cos(angle) + x * std::sin(angle));
      }
      for (Index k = 2 * shape.planes; k < B; ++k)
        table(p, copy * B + k) = static_cast<S>(0.1 * static_cast<double>(k));
    }
  return table;
}

std::vector<double> sinusoid_angles(Index W) {
  std::vector<double> angles;
  for (Index m = 0; m < W / 2; ++m)
    angles.push_back(std::pow(1e4, -2.0 * static_cast<double>(m) / static_cast<double>(W)));
  return angles;
}

template <class S>
Array<S> rounded_to(const Array<double>& table) {
  Array<S> out{table.extent(0), table.extent(1)};
  for (Index i = 0; i < table.size(); ++i) out.data()[i] = static_cast<S>(table.data()[i]);
  return out;
}

void check_same(const Neighbours& one, const Neighbours& other) {
  CHECK(one.distance == other.distance);
  CHECK(one.nearest == other.nearest);
  CHECK(one.closest == other.closest);
  CHECK(one.collisions == other.collisions);
  CHECK(one.distinct == other.distinct);
}

}  // namespace

TEMPLATE_TEST_CASE("random tables that rotate: certified, and their neighbours are those of plain loops", "", double,
                   float) {
  std::mt19937 random(7);
  const auto up_to = [&](int most) { return static_cast<Index>(random() % static_cast<unsigned>(most)); };
  std::uniform_real_distribution<double> exponent(-4, 0.5), entry(-2, 2);
  int by_offset = 0;
  for (int example = 0; example < check::thousand; ++example) {
    const RotationShape shape{2 + up_to(60),
                              1 + up_to(6),
                              1 + up_to(3),
                              up_to(3),
                              up_to(2) == 1,
                              up_to(2) ? 1.0 : -1.0,
                              up_to(2) ? 0.0 : static_cast<double>(up_to(5000))};
    std::vector<double> angles, start;
    for (Index m = 0; m < shape.planes; ++m) angles.push_back(std::pow(10, exponent(random)));
    if (up_to(4) == 0)
      angles = std::vector<double>(angles.size(), 2 * std::acos(-1.0) / static_cast<double>(2 + up_to(9)));
    for (Index m = 0; m < 2 * shape.planes; ++m) start.push_back(entry(random));
    const Array<TestType> table = rotation_table<TestType>(shape, angles, start);
    const RotationClaim claim{angles, shape.copies, shape.first};
    const double radius = up_to(3) ? 1e-9 : entry(random) * entry(random);
    const double length = radius < 0 ? 0 : radius;
    CAPTURE(example, shape.rows, shape.planes, shape.copies, shape.still, shape.in_halves, shape.direction,
            shape.first);
    const std::optional<Rotation> rotation = certify<TestType>(table, claim);
    REQUIRE(rotation);
    const Neighbours plain = naive::nearest_neighbours<TestType>(table, length);
    check_same(nearest_neighbours<TestType>(table, length, claim), plain);
    if (const auto found = neighbours_by_offset<TestType>(table, length, *rotation)) {
      check_same(*found, plain);
      ++by_offset;
    }
  }
  CHECK(by_offset > 9 * check::thousand / 10);
}

TEMPLATE_TEST_CASE("larger tables that rotate: the bits of the search over all pairs", "", double, float) {
  const auto [N, W] = GENERATE(std::pair<Index, Index>{1500, 128}, std::pair<Index, Index>{3000, 8});
  const Array<TestType> table = rounded_to<TestType>(tables::sinusoid(N, W));
  const RotationClaim claim{sinusoid_angles(W)};
  const auto rotation = certify<TestType>(table, claim);
  REQUIRE(rotation);
  const auto found = neighbours_by_offset<TestType>(table, 1e-9, *rotation);
  REQUIRE(found);
  check_same(*found, nearest_neighbours<TestType>(table, 1e-9));
}

TEMPLATE_TEST_CASE("distances of offsets: closed form, and no pair is further from them than twice the deviation", "",
                   double, float) {
  const Index N = 300, W = 32;
  const Array<TestType> table = rounded_to<TestType>(tables::sinusoid(N, W));
  const auto rotation = certify<TestType>(table, {sinusoid_angles(W)});
  REQUIRE(rotation);
  CHECK(rotation->deviation > 0);
  CHECK(rotation->deviation < (std::is_same_v<TestType, float> ? 4e-7 : 2e-13));
  for (Index r = 0; r < N; ++r) {
    double squared = 0;
    for (const double w : sinusoid_angles(W)) squared += 2 - 2 * std::cos(w * static_cast<double>(r));
    REQUIRE(rotation->distance[static_cast<std::size_t>(r)] ==
            check::Approx(std::sqrt(squared)).epsilon(1e-12).margin(1e-12));
  }
  double furthest = 0;
  for (Index p = 0; p < N; ++p)
    for (Index q = 0; q < N; ++q)
      furthest = std::max(furthest, std::abs(std::sqrt(squared_distance(&table(p, 0), &table(q, 0), W)) -
                                             rotation->distance[static_cast<std::size_t>(std::abs(p - q))]));
  CHECK(furthest <= 2 * rotation->deviation);
}

TEMPLATE_TEST_CASE("a table of which one number is another is not certified, and is searched pair by pair", "", double,
                   float) {
  const Index N = 700, W = 16;
  const RotationClaim claim{sinusoid_angles(W)};
  for (const Index row : {Index{0}, Index{1}, Index{255}, Index{256}, Index{400}, N - 1})
    for (const Index column : {Index{0}, Index{7}, W - 1}) {
      CAPTURE(row, column);
      Array<TestType> table = rounded_to<TestType>(tables::sinusoid(N, W));
      table(row, column) += std::is_same_v<TestType, float> ? TestType(1e-5) : TestType(1e-11);
      CHECK_FALSE(certify<TestType>(table, claim));
      table(row, column) += TestType(0.5);
      CHECK_FALSE(certify<TestType>(table, claim));
      check_same(nearest_neighbours<TestType>(table, 1e-9, claim), nearest_neighbours<TestType>(table, 1e-9));
    }
}

TEMPLATE_TEST_CASE("a row that repeats another is found although the table would rotate without it", "", double,
                   float) {
  const Index N = 400, W = 16;
  const RotationClaim claim{sinusoid_angles(W)};
  Array<TestType> table = rounded_to<TestType>(tables::sinusoid(N, W));
  for (Index k = 0; k < W; ++k) table(311, k) = table(42, k);
  const Neighbours found = nearest_neighbours<TestType>(table, 1e-9, claim);
  CHECK(found.closest == ClosestPair{0, 42, 311});
  CHECK(found.collisions == 1);
  CHECK(found.distinct == N - 1);
}

TEST_CASE("claims that say something else, or nothing, are refused") {
  const Index N = 64, W = 16;
  const Array<double> table = tables::sinusoid(N, W);
  const std::vector<double> angles = sinusoid_angles(W);
  CHECK(certify<double>(table, {angles}));
  CHECK_FALSE(certify<double>(table, {{}}));
  CHECK_FALSE(certify<double>(table, {angles, 2}));  // more planes than a copy has columns
  CHECK_FALSE(certify<double>(table, {angles, 3}));
  CHECK_FALSE(certify<double>(table, {angles, 0}));
  std::vector<double> other = angles;
  other[3] *= 1 + 1e-9;
  CHECK_FALSE(certify<double>(table, {other}));
  std::swap(other = angles, other);
  std::swap(other[0], other[1]);
  CHECK_FALSE(certify<double>(table, {other}));
  other = angles, other.pop_back();
  CHECK_FALSE(certify<double>(table, {other}));  // two columns that are said to stay
  CHECK_FALSE(certify<double>(tables::gaussian(N, W), {angles}));
  CHECK_FALSE(certify<double>(table.view().rows(0, 1), {angles}));
  CHECK(certify<double>(table.view().rows(0, 2), {angles}));
  Array<double> broken = table.copy();
  broken(5, 3) = std::nan("");
  CHECK_FALSE(certify<double>(broken, {angles}));
}

TEST_CASE("slow planes: rows that float32 cannot tell apart are left to the search over all pairs") {
  const RotationShape shape{500, 1, 1, 0, false, 1, 0};
  const std::vector<double> angles{1e-9};
  const Array<float> table = rotation_table<float>(shape, angles, {1, 1});
  const auto rotation = certify<float>(table, {angles});
  REQUIRE(rotation);
  CHECK_FALSE(neighbours_by_offset<float>(table, 1e-9, *rotation));
  check_same(nearest_neighbours<float>(table, 1e-9, {angles}), naive::nearest_neighbours<float>(table, 1e-9));
}

TEST_CASE("what a certificate finds does not depend on the threads") {
  const Index N = 3000, W = 64;
  const Array<float> table = rounded_to<float>(tables::sinusoid(N, W));
  const RotationClaim claim{sinusoid_angles(W)};
  const auto with_threads = [&](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return std::pair{certify<float>(table, claim)->deviation, nearest_neighbours<float>(table, 1e-9, claim)};
  };
  const auto one = with_threads(1);
  for (const std::size_t threads : {2, 8}) {
    const auto more = with_threads(threads);
    CHECK(more.first == one.first);
    check_same(more.second, one.second);
  }
}
