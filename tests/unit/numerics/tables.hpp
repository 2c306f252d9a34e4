// SPDX-License-Identifier: Apache-2.0
// Tables that are hard for a search of near rows, each for its own reason.
// Dimension letters: N rows, W columns.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/base/random.hpp"

namespace tables {

using poslab::base::Array;
using poslab::base::Index;

inline Array<double> gaussian(Index N, Index W, const std::string& key = "gaussian") {
  Array<double> table{N, W};
  poslab::base::Stream(key).fill_normal(table);
  return table;
}

/// Vaswani et al. 2017, interleaved.
inline Array<double> sinusoid(Index N, Index W) {
  Array<double> table{N, W};
  for (Index p = 0; p < N; ++p)
    for (Index c = 0; c < W; ++c) {
      const double angle =
          static_cast<double>(p) * std::pow(1e4, -static_cast<double>(c - c % 2) / static_cast<double>(W));
      table(p, c) = c % 2 ? std::cos(angle) : std::sin(angle);
    }
  return table;
}

struct Named {
  std::string name;
  Array<double> rows;
};

inline std::vector<Named> hard_tables(Index N, Index W) {
  std::vector<Named> all;
  const auto make = [&](const std::string& name, auto entry) {
    const Array<double> noise = gaussian(N, W, name);
    Array<double> table{N, W};
    for (Index p = 0; p < N; ++p)
      for (Index c = 0; c < W; ++c) table(p, c) = entry(p, c, noise(p, c));
    all.push_back({name, std::move(table)});
  };
  all.push_back({"gaussian", gaussian(N, W)});
  all.push_back({"sinusoid", sinusoid(N, W)});
  make("all equal", [](Index, Index, double) { return 0.1; });
  make("signed zeros", [](Index p, Index, double) { return p % 2 ? 0.0 : -0.0; });
  make("index", [](Index p, Index, double) { return static_cast<double>(p); });
  make("index far from the origin", [](Index p, Index, double) { return 1e9 + static_cast<double>(p); });
  make("seven kinds", [](Index p, Index c, double) { return std::sin(static_cast<double>((p * p) % 7 + c)); });
  make("equal but for rounding", [](Index, Index, double noise) { return 1 + 1e-15 * noise; });
  make("tiny", [](Index, Index, double noise) { return 1e-60 * noise; });
  make("huge", [](Index, Index, double noise) { return 1e60 * noise; });
  make("one row far away", [](Index p, Index, double noise) { return p == 3 ? 1e30 : noise; });
  make("unit vectors", [&](Index p, Index c, double) { return p % W == c ? 1.0 + static_cast<double>(p / W) : 0.0; });
  make("told apart by the last column only", [&](Index p, Index c, double noise) {
    return c + 1 == W ? 1e-3 * static_cast<double>((p * 37) % N) : (p % 2 ? noise : 5.0);
  });
  return all;
}

}  // namespace tables
