// SPDX-License-Identifier: Apache-2.0
// The positions of the tokens of a sequence: the position policy of a study, `[model] positions`.
// Dimension letters: N tokens, A axes of a position.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/base/random.hpp"
#include "poslab/data/draws.hpp"

namespace poslab::data {

struct Placement {
  enum class Policy : std::uint8_t {
    plain,       ///< 0, 1, ... N - 1
    shifted,     ///< by, by + 1, ... (SHAPE, Kiyono et al. 2021)
    randomised,  ///< N different integers of 0 .. range - 1, drawn and sorted (Ruoss et al. 2023)
    grid,        ///< every cell of a grid, the last axis fastest: (row, column), or (frame, row, column)
    at,          ///< these numbers
    last = at
  };
  Policy policy = Policy::plain;
  std::int64_t by = 0, range = 0;
  std::vector<std::int64_t> extents;  ///< of the grid: 2 or 3
  std::vector<double> values;         ///< of `at`: rising
  bool operator==(const Placement&) const = default;

  bool is_plain() const { return policy == Policy::plain; }
  bool is_grid() const { return policy == Policy::grid; }
  bool is_drawn() const { return policy == Policy::randomised; }
  int axes() const { return is_grid() ? static_cast<int>(extents.size()) : 1; }
  /// How many tokens there are, where the policy fixes it (grid, at).
  std::optional<base::Index> count() const;
  /// Positions of N tokens: [N, A]. `draws` is for the policy that draws.
  base::Array<double> positions(base::Index N, const Draws& draws) const;
  /// Least and greatest number that a position of N tokens may have, over all axes and draws.
  double lowest() const;
  double highest(base::Index N) const;
  /// Names of the axes: row, column; frame, row, column; empty where there is one axis.
  std::vector<std::string> axis_names() const;
  /// As a study writes it: `{ grid = [16, 16] }`.
  std::string text() const;
};

}  // namespace poslab::data
