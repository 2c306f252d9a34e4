// SPDX-License-Identifier: Apache-2.0
// Where the tokens of a training stand: sequences may be shifted, drawn or packed while they are trained on; images
// stand on their grid, in training and when they are measured.
#pragma once

#include <cstdint>
#include <string>

#include "poslab/experiment/training_definition.hpp"
#include "poslab/experiment/training_run.hpp"

namespace poslab::experiments {

/// Whether what is measured stands where what is trained on does, or at 0, 1, 2, ...
enum class Measured { plain, as_trained };

/// Puts the sequences of the plan's batches where `at` and the study say; its batch of an update may become longer.
void place_sequences(const TrainingDefinition& at, const ExperimentInput& input, TrainingPlan& plan,
                     Measured held_out = Measured::plain);

/// Puts held-out instances, `first` being the number of the first, where they would stand if they were trained on; each
/// by draws of its own number and length.
void place_as_trained(const TrainingDefinition& at, const ExperimentInput& input, std::uint64_t first,
                      training::TaskBatch& batch);

/// What a scheme finds as the last number of a position in a measured instance of this size.
double last_position(const data::Placement& placement, const tasks::Task& task, base::Index size);

}  // namespace poslab::experiments
