// SPDX-License-Identifier: Apache-2.0
// Classes of items that scatter around a mean, and their labels.
// Dimension letter: W width of an item.
#pragma once

#include <cstdint>
#include <vector>

#include "parts/dice.hpp"

namespace poslab::tasks {

inline constexpr Index label_count = 32, class_count = 2048, item_width = 64;

using Vector = std::vector<double>;

struct Class {
  Vector mean;  ///< [W]
  std::int32_t label;
};

struct Item {
  Vector vector;  ///< [W]
  std::int32_t label;
};

/// What a world is made of is a function of its `draws` alone, the same for all instances. Means and labels' vectors
/// are N(0, 1/W): of length about 1.
Vector label_vector(const base::Stream& draws, std::int32_t label);
Class learned_class(const base::Stream& draws, Index number);
/// A class that nothing else has.
Class novel_class(Dice& dice);

/// (mean + 0.75 noise) / sqrt(1 + 0.75^2), noise N(0, 1/W)
Item item_of(const Class& one, Dice& dice);

}  // namespace poslab::tasks
