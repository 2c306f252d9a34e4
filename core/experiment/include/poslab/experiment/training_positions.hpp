// SPDX-License-Identifier: Apache-2.0
// Where the tokens of a training stand: sequences may be shifted, drawn or packed while they are trained on; images
// stand on their grid, in training and when they are measured.
#pragma once

#include <string>

#include "poslab/experiment/training_definition.hpp"
#include "poslab/experiment/training_run.hpp"

namespace poslab::experiments {

/// Puts the sequences of the plan's batches where `at` and the study say; its batch of an update may become longer.
void place_sequences(const TrainingDefinition& at, const ExperimentInput& input, TrainingPlan& plan);

/// What a scheme finds as the last number of a position in a measured instance of this size.
double last_position(const data::Placement& placement, const tasks::Task& task, base::Index size);

}  // namespace poslab::experiments
