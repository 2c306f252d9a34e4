// SPDX-License-Identifier: Apache-2.0
// What can be said of n tokens that were drawn independently, each of V alike, when their counts are all that is
// known.
#pragma once

#include <span>

#include "poslab/tasks/task.hpp"

namespace poslab::tasks {

/// -sum p log p, in nats, of probabilities or of weights that are made to sum to 1.
double entropy(std::span<const double> weights);

/// E[largest count]. Time n^1.5, so that it serves thousands.
double expected_largest_count(Index n, Index V);
/// E[largest count] / n: how often the most frequent token stands at one of the n places.
inline double expected_largest_share(Index n, Index V) { return expected_largest_count(n, V) / static_cast<double>(n); }

/// How often the Bayes guess is right whether two of n bits differ, drawn at random among them, if all that is known is
/// that k bits are ones: E max(p, 1 - p), p = 2 k (n - k) / (n (n - 1)), k binomial. 1 for n = 1, where the two are
/// one.
double unequal_bits_accuracy(Index n);

/// Bounds of a task whose answer follows from its input: certain for who sees the order.
Bounds certain(double chance_accuracy, double chance_loss, double unordered_accuracy = Bounds::unknown);

/// The same, by how often each symbol is asked for.
Bounds certain(std::span<const double> asked);

/// The same for answers of `count` tokens, each of V alike, and then an end.
Bounds tokens_and_end(Index count, Index V);

}  // namespace poslab::tasks
