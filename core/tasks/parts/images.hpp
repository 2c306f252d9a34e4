// SPDX-License-Identifier: Apache-2.0
// Images of n x n patches, each empty or filled, row by row; for encoders, with positions on a grid.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {

/// A row and a column.
using Patch = std::array<Index, 2>;

inline constexpr std::int32_t empty_patch = 0, filled_patch = 1;

class ImageTask : public Generated {
 public:
  ImageTask(std::string id, Index least) : Generated(std::move(id), least) {}
  Index tokens(Index size) const override { return size * size; }
  std::vector<Index> grid(Index size) const override { return {size, size}; }

 protected:
  /// n x n patches of which these are filled; nothing is asked yet.
  static Sequence image_of(const std::vector<Patch>& filled, Index n);
  /// At every patch the same.
  static void ask_everywhere(std::int32_t answer, Sequence& image);
};

}  // namespace poslab::tasks
