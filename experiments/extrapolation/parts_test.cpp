// SPDX-License-Identifier: Apache-2.0
// The parts of extrapolation: measured positions, nearest codes, planes, windows, each against its definition.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <span>

#include "catch.hpp"
#include "cells.hpp"
#include "measured_positions.hpp"
#include "novelty.hpp"
#include "planes.hpp"
#include "poslab/base/random.hpp"
#include "poslab/data/draws.hpp"
#include "window.hpp"

using namespace poslab;
using namespace poslab::experiments::extrapolation;
using data::Value;

namespace {

base::Array<double> normal(Index rows, Index width, const char* name) {
  return data::Draws(3, "parts", "", 0).normal(name, {rows, width});
}

// By its definition.
std::vector<double> nearest_by_definition(View<const double> tested, View<const double> trained) {
  std::vector<double> distances;
  for (Index p = 0; p < tested.shape[0]; ++p) {
    double nearest = std::numeric_limits<double>::infinity();
    for (Index s = 0; s < trained.shape[0]; ++s) {
      double squared = 0;
      for (Index a = 0; a < trained.shape[1]; ++a) squared += std::pow(tested(p, a) - trained(s, a), 2);
      nearest = std::min(nearest, squared);
    }
    distances.push_back(std::sqrt(nearest));
  }
  return distances;
}

// By sorting: largest first, until they hold their share.
Index window_by_sorting(std::span<const double> weights, double share) {
  std::vector<double> sorted(weights.begin(), weights.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  const double needed = share * std::accumulate(weights.begin(), weights.end(), 0.0) * (1 - 1e-12);
  Index count = 0;
  for (double held = 0; held < needed && count < static_cast<Index>(sorted.size()); ++count)
    held += sorted[base::at(count)];
  return count;
}

}  // namespace

TEST_CASE("extrapolation: measured positions are multiples of the step, and the last position of every context") {
  const host::Scheme none(cells::plugin("none"), {}, {8, 2, 10});
  Extrapolation at;
  at.train_length = 10, at.points = 3, at.multiple = {4, 1, 2, 2};
  CHECK(at.multiples() == std::vector<Index>{1, 2, 4});
  std::vector<Index> positions, lengths;
  for (const MeasuredPosition& one : measured_positions(at, none)) {
    positions.push_back(one.position);
    lengths.push_back(one.context_length);
    CHECK(one.defined);
  }
  CHECK(positions == std::vector<Index>{0, 3, 6, 9, 12, 15, 18, 19, 21, 24, 27, 30, 33, 36, 39});
  CHECK(lengths == std::vector<Index>{10, 10, 10, 10, 20, 20, 20, 20, 40, 40, 40, 40, 40, 40, 40});
  CHECK(contexts(measured_positions(at, none)) == std::vector<Index>{10, 20, 40});
  CHECK(defined_in(measured_positions(at, none), 20) == std::vector<std::size_t>{4, 5, 6, 7});
}

TEST_CASE("extrapolation: the nearest code, by blocks and by definition") {
  for (const auto& [P, T, W] : {std::tuple<Index, Index, Index>{1, 1, 1}, {200, 70, 5}, {65, 130, 64}, {3, 2, 300}}) {
    CAPTURE(P, T, W);
    base::Array<double> tested = normal(P, W, "tested"), trained = normal(T, W, "trained");
    for (const double shift : {0.0, 1e8}) {  // far from the origin, where squares hide small distances
      for (double& x : tested.flat()) x += shift;
      for (double& x : trained.flat()) x += shift;
      std::copy_n(trained.data(), W, tested.data());  // one that training has seen
      const std::vector<double> fast = nearest_distances(tested, trained),
                                slow = nearest_by_definition(tested, trained);
      CHECK(fast[0] == 0);
      for (std::size_t p = 0; p < fast.size(); ++p) CHECK_THAT(fast[p], check::WithinRel(slow[p], 1e-12));
    }
  }
}

TEST_CASE("extrapolation: the unit of novelty, and what is new where there is none") {
  base::Array<double> rows{3, 1};
  rows(1, 0) = 3;
  rows(2, 0) = 4;
  CHECK_THAT(neighbour_distance(rows), check::WithinAbs(std::sqrt(5.0), 1e-15));
  CHECK(neighbour_distance(rows.view().rows(0, 1)) == 0);
  CHECK(novelty(6, 3) == 2);
  CHECK(novelty(0, 0) == 0);
  CHECK(std::isnan(novelty(1, 0)));
}

TEST_CASE("extrapolation: declared angles and eigenvalues agree, in either style") {
  for (const char* style : {"interleaved", "half-split"}) {
    CAPTURE(style);
    const host::Scheme rope(cells::plugin("rope"), {{"style", style}}, {128, 1, 4096});
    const Planes declared = *planes(rope, {4096, 4096, true}, {});
    Planes measured = measured_planes(rope, {4096, 4096, true}, {});
    REQUIRE(measured.angles.size() == 64);
    REQUIRE(declared.angles.size() == 64);
    std::sort(measured.angles.rbegin(), measured.angles.rend());
    for (std::size_t i = 0; i < 64; ++i) CHECK_THAT(measured.angles[i], check::WithinAbs(declared.angles[i], 1e-14));
    CHECK(unseen(declared, 4096).planes == 18);
    CHECK(unseen(measured, 4096).planes == 18);
    CHECK(unseen(measured, 4096).phase == 18 / 64.0);
  }
}

TEST_CASE("extrapolation: planes are counted a head, and channels that stay still are none") {
  const host::Scheme rope(cells::plugin("rope"), {}, {32, 4, 16});
  const Planes measured = measured_planes(rope, {16, 16, true}, {});
  CHECK(measured.angles.size() == 16);
  CHECK(measured.heads == 4);
  // Angles 1, 0.1, 0.01, 0.001 times 16: only the first has rotated.
  CHECK(unseen(measured, 16).planes == 3);
  CHECK(unseen(measured, 16).phase == 0.75);
  CHECK(unseen(measured, 6).planes == 4);
  CHECK(unseen(measured, 63).planes == 2);
  CHECK(unseen(Planes{{2 * std::numbers::pi / 8}, 1}, 8).planes == 0);  // exactly once round
  CHECK(unseen(Planes{}, 8).phase == 0);

  const host::Scheme alibi(cells::plugin("alibi"), {}, {32, 4, 16});
  CHECK_FALSE(planes(alibi, {16, 16, true}, {}).has_value());
  const host::Scheme none(cells::plugin("none"), {}, {32, 4, 16});
  CHECK(planes(none, {16, 16, true}, {})->angles.empty());
}

TEST_CASE("extrapolation: the effective window of equal, geometric, tied and random weights") {
  for (const Index n : {1, 2, 9, 10, 11, 100, 5000})
    CHECK(effective_window(std::vector<double>(static_cast<std::size_t>(n), 0.1 / static_cast<double>(n)), 0.9) ==
          (9 * n + 9) / 10);
  std::vector<double> geometric;
  for (int j = 0; j < 2000; ++j) geometric.push_back(std::pow(0.99, j));
  CHECK(effective_window(geometric, 0.9) == 230);  // 0.99^229 > 0.1 >= 0.99^230
  CHECK(effective_window(std::vector<double>{0, 0, 5, 0}, 0.9) == 1);
  CHECK(effective_window(std::vector<double>{1e-300, 1, 1e-300}, 1 - 1e-15) == 1);
  CHECK(effective_window(std::vector<double>{1, 1e-9, 1e-9}, 1) == 3);
  CHECK(effective_window(std::vector<double>{}, 0.9) == 0);
  for (const double spread : {0.1, 1.0, 5.0, 40.0})
    for (const Index n : {3, 50, 3000}) {
      CAPTURE(spread, n);
      base::Array<double> weights = normal(n, 1, "weights");
      for (double& w : weights.flat()) w = std::exp(spread * w);
      for (const double share : {0.1, 0.5, 0.9, 0.9999})
        CHECK(effective_window(weights.flat(), share) == window_by_sorting(weights.flat(), share));
    }
}
