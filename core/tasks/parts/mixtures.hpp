// SPDX-License-Identifier: Apache-2.0
// Retrieval from context, of items of a mixture of Gaussians (Wu et al. 2025, after Reddy 2024).
// Dimension letters: n pairs, T = 2 n + 1 tokens, W width of an item.
#pragma once

#include <memory>

#include "poslab/tasks/task.hpp"

namespace poslab::tasks {

/// n pairs of an item and its label, and one more item, whose label is asked. Items of one class scatter around the
/// class's mean; n/4 classes have four items each. Training draws from 2048 classes, whose labels it can learn by
/// heart; what is held out has classes of its own.
std::unique_ptr<Task> make_retrieval_task(const char* id, bool asks_for_ends_only);

}  // namespace poslab::tasks
