// SPDX-License-Identifier: Apache-2.0
// Trains the network of a cell, step by step, goes on from a checkpoint, and records how it went.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "poslab/experiment/measure.hpp"
#include "poslab/network/network.hpp"
#include "poslab/tasks/task.hpp"
#include "poslab/training/adamw.hpp"
#include "poslab/training/schedule.hpp"
#include "poslab/training/task_batch.hpp"

namespace poslab::experiments {

/// What a training is made of.
struct TrainingPlan {
  training::AdamWOptions optimiser;
  training::Schedule schedule;
  bool keep_weights = false;  ///< in the record
  bool with_moments = false;  ///< kept with the weights, and taken over from a network that is given and has them
  double stop_loss = 0;       ///< held-out loss at which training stops before all its steps are made; 0: never
  network::Configuration configuration = {};
  network::Capacity largest = {};   ///< batch of an update
  network::Capacity held_out = {};  ///< all of `fill_held_out`
  /// Fills the batch of an update, a pure function of its number, from 0.
  std::function<void(std::uint64_t step, training::TaskBatch& batch)> fill = {};
  /// Fills the batch on which the held-out loss is measured.
  std::function<void(training::TaskBatch& batch)> fill_held_out = {};
  double evaluated_tokens = 0;  ///< that the trained network is going to look at
  std::string title = {};       ///< what is trained on: "copy, 2 layers"
  std::string symbols = {};     ///< of a text, the character of each number of the vocabulary

  /// Steps of the whole cell, for data::Progress: those of the training, and as many as the evaluation takes, in which
  /// a token costs a third of one that is trained on.
  std::uint64_t steps_of_cell(std::uint64_t trained) const;
};

/// Tells how far the evaluation is that follows the training.
class EvaluationProgress {
 public:
  EvaluationProgress(Attempt& attempt, const TrainingPlan& plan);
  void looked_at(double tokens);

 private:
  Attempt& attempt_;
  std::uint64_t trained_, all_;  // steps
  double evaluated_tokens_, looked_at_ = 0;
};

/// How often the held-out loss is measured: about every twentieth of the training, and at its end; where it may stop
/// before, as often as there are points of the other curves, every 200th. Of a given network once more, before it.
std::uint64_t held_out_points_of(std::uint64_t steps, bool may_stop);

/// Held-out sequences whose attention and gradient are looked into.
inline constexpr base::Index max_inspected_sequences = 8;

/// Sequences of so many tokens that a network looks at in one go where it is not trained.
base::Index sequences_at_once(base::Index tokens);

/// Curves over steps.
struct TrainingHistory {
  std::vector<double> step, training_loss, gradient_norm, learning_rate;
  std::vector<double> held_out_step, held_out_loss;
  /// Curves of one point, 0, that nothing is known of: there is no training.
  void no_step();
};

template <class S>
struct TrainedNetwork {
  std::unique_ptr<network::Layout> layout;  ///< does not move: the parameters refer to it
  std::unique_ptr<network::Parameters<S>> parameters;
  TrainingHistory history;
  std::uint64_t steps = 0;         ///< made
  std::uint64_t batches_seen = 0;  ///< the same, and those of the trainings before
  /// AdamW's, after so many steps; only if the plan keeps the weights.
  std::unique_ptr<network::Parameters<S>> first_moment, second_moment;
  std::uint64_t optimiser_steps = 0;
  base::Index scheme_untouched = 0;  ///< numbers of the scheme whose bits training left as they were
};

/// The network of the cell, trained. Throws training::Diverged.
template <class S>
TrainedNetwork<S> train(const ExperimentInput& input, const TrainingPlan& plan);

/// What guesses reach at what was trained on.
void record_bounds(const tasks::Bounds& bounds, Output& out);

/// The measures of_training but for the task's bounds; and the weights, if the plan says to keep them.
template <class S>
void record_training(const ExperimentInput& input, const TrainingPlan& plan, const TrainedNetwork<S>& trained,
                     Output& out);

}  // namespace poslab::experiments
