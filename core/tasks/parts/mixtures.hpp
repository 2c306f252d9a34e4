// SPDX-License-Identifier: Apache-2.0
// Retrieval from context, of items of a mixture of Gaussians (Wu et al. 2025, after Reddy 2024): classes of items that
// scatter around a mean, and their labels.
// Dimension letters: n pairs, T = 2 n + 1 tokens, W width of an item.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "parts/dice.hpp"
#include "poslab/tasks/task.hpp"

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

/// n pairs of an item and its label, and one more item, whose label is asked. Items of one class scatter around the
/// class's mean; n/4 classes have four items each. Training draws from 2048 classes, whose labels it can learn by
/// heart; what is held out has classes of its own.
std::unique_ptr<Task> make_retrieval_task(const char* id, bool asks_for_ends_only);

}  // namespace poslab::tasks
