// SPDX-License-Identifier: Apache-2.0
// What a cell that trains needs: memory at its peak, and operations for the guess of its time.
#pragma once

#include <vector>

#include "poslab/data/cell.hpp"
#include "poslab/experiment/training_definition.hpp"

namespace poslab::experiments {

/// Tokens that a trained network looks at, in batches of so many sequences.
struct LookedAt {
  double tokens = 0;
  base::Index sequences = 1, length = 1;
};

/// The batches of a cell.
struct TrainingSizes {
  base::Index sequences = 1, length = 1;  ///< of an update
  base::Index held_out = 1;               ///< sequences of that length on which the held-out loss is measured
  std::vector<LookedAt> looked_at = {};   ///< afterwards
  bool lengths_differ = false;            ///< in an update, whose longest have `length`
};

/// Operations of a token that passes forward through a network, in sequences of this length. What a scheme computes
/// itself is not among them: the dearest double a step (tests/bench/speed.md).
double steps_of_token(const network::Configuration& configuration, const host::LayerSchemes& schemes, Dtype dtype,
                      base::Index length);

/// Memory is an upper bound, but for what a plugin takes while it is called.
data::Estimate training_estimate(const TrainingDefinition& at, const host::LayerSchemes& schemes,
                                 const network::Configuration& configuration, const TrainingSizes& sizes);

}  // namespace poslab::experiments
