// SPDX-License-Identifier: Apache-2.0
// How a trained network fares on instances of one size.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>

#include "poslab/network/network.hpp"
#include "poslab/tasks/task.hpp"
#include "poslab/training/task_batch.hpp"

namespace poslab::experiments::length_generalisation {

using base::Index;

/// NaN: not measured.
struct Score {
  double loss = std::numeric_limits<double>::quiet_NaN();      ///< nats, mean over the tokens that count
  double accuracy = std::numeric_limits<double>::quiet_NaN();  ///< share of them whose target has the largest logit
  double exact = std::numeric_limits<double>::quiet_NaN();     ///< share of sequences all of whose tokens are right
};

/// Puts the sequences of a batch where they stand; `first`: the number of its first instance.
using Place = std::function<void(std::uint64_t first, training::TaskBatch& batch)>;

/// On `count` held-out instances of this size, or all that there are, sequences_at_once of them in one batch.
template <class S>
Score score_of(network::Network<S>& network, const network::Parameters<S>& parameters, const tasks::Task& task,
               const base::Stream& draws, Index size, Index count, const Place& place);

}  // namespace poslab::experiments::length_generalisation
