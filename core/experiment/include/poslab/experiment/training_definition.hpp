// SPDX-License-Identifier: Apache-2.0
// What every experiment that trains a network has in common: the axes that say which network, on what and how it is
// trained, and what follows from them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "poslab/base/refusal.hpp"
#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"
#include "poslab/experiment/point.hpp"
#include "poslab/network/network.hpp"
#include "poslab/tasks/task.hpp"
#include "poslab/training/adamw.hpp"
#include "poslab/training/schedule.hpp"

namespace poslab::experiments {

/// What a task feeds a network with.
struct Feed {
  base::Index vocabulary = 256, vector_width = 0;  ///< as long as a file is not known: the largest of a text
};
/// `task`: null where its file is not known.
Feed feed_of(const tasks::Task* task);

/// Where the sequences that are trained on stand; what is measured stands at 0, 1, 2, ... .
enum class TrainPositions {
  plain,         ///< 0, 1, 2, ...
  shifted,       ///< k, k + 1, ..., k drawn for each (SHAPE; Kiyono et al. 2021)
  randomised,    ///< different whole numbers, drawn for each, in their order (Ruoss et al. 2023)
  random_reals,  ///< the same of real numbers
  augmented,     ///< (t + shift + a shift of its own) scaling, drawn for each (CAPE; Likhomanenko et al. 2021)
  packed         ///< two in one sequence, the second from 0 again
};

// What answers of trainings say in place of a number, or beside it.
inline data::AnswerWord refused_word() { return {"refused", "it does not serve so many positions"}; }
inline data::AnswerWord untaught_word() { return {"untaught", "training did not teach the task"}; }
inline data::AnswerWord one_repeat_word() { return {"1 repeat", "without others it has no error to judge by"}; }

/// Where AdamW's moments begin if a network is given.
enum class MomentsOf { none, network };

/// The axes that say which network.
struct NetworkAxes {
  AttentionMask mask;
  base::Index layers, feed_forward;
  network::Norm norm;
  network::Activation gelu;
  bool tied, biases;
  network::EmbeddingScale embedding_scale;
  double init_std;

  bool is_decoder() const { return mask == AttentionMask::causal; }
  /// The network of a cell, trained on sequences of up to so many tokens.
  network::Configuration network(const host::Model& model, const Feed& feed, base::Index train_length) const;
};
Axes<NetworkAxes> network_axes();

/// Base of an experiment that trains. Its `axes` begin with those of training_axes.
struct TrainingDefinition : Definition, NetworkAxes {
  std::string task;
  base::Index steps, batch;
  double stop_loss;  ///< 0: it is never reached
  double learning_rate, last_rate;
  base::Index warm_up;
  std::vector<double> rate_factors;  ///< of several, the cell takes the best: rate_search.hpp
  base::Index search_seeds;
  double beta1, beta2, epsilon, weight_decay, clip;
  Dtype dtype;
  bool keep_weights;
  MomentsOf moments;
  TrainPositions train_positions;
  base::Index train_range;
  double max_global_shift, max_local_shift, max_global_scaling;  ///< of `augmented`

  base::Index scheme_layers() const override { return layers; }
  bool takes_mixed() const override { return true; }
  bool shares_work() const override { return rate_factors.size() > 1 && steps > 0; }
  std::string head_start(const data::Record& record) const override;
  std::string head_start_of(std::string_view checkpoint) const override;
  bool trains() const override { return true; }
  std::optional<base::Refusal> why_not_network(const Setting& of, const data::Values& axes) const override;
  std::vector<std::string> needs() const override;
  /// Files that some task needs.
  static std::vector<data::FileInfo> files();

  const tasks::TaskInfo& task_info() const { return tasks::find_task(task); }
  /// The task, of its file where it needs one; null if that is not among them. Of a text for a network that is given:
  /// over the characters that it was trained on. Throws tasks::BadFile.
  std::unique_ptr<tasks::Task> make_task(const Files& files, const data::GivenNetwork* given = nullptr) const;
  /// Empty, or why the file of the task cannot be used, or holds no instance of this size.
  std::optional<base::Refusal> why_not_file(const Files& files, base::Index size) const;
  /// Why the network cannot be trained on the task, of whose instances the largest have this size and so many tokens;
  /// or empty.
  std::optional<base::Refusal> why_not_trained(const Setting& of, base::Index size, base::Index tokens) const;
  /// The batch of an update of so many sequences of up to so many tokens.
  network::Capacity update_of(base::Index sequences, base::Index tokens) const;
  /// How many positions sequences of up to so many tokens are trained at, from 0 on.
  base::Index reach(base::Index tokens) const;
  /// Whether sequences that are trained on have positions of their own, which are drawn.
  bool draws_positions() const {
    return train_positions != TrainPositions::plain && train_positions != TrainPositions::packed;
  }
  /// Empty, or why so many tokens cannot stand at positions that are drawn.
  std::optional<base::Refusal> why_not_drawn(const host::LayerSchemes& schemes, base::Index tokens) const;

  training::AdamWOptions optimiser() const { return {beta1, beta2, epsilon, weight_decay, clip}; }
  training::Schedule schedule() const;
  /// Empty, or the sentence that says that what was trained on was not learnt: less than 0.9 of its tokens right, of a
  /// task that can be solved (`accuracy`: at trained sizes); else a loss not below that of how often each symbol
  /// occurs. A network without positions is a control, and never untaught.
  std::string why_untaught(const Point& point, const data::MeanAndError& accuracy) const;
  /// What is added to an answer's sentence: that the learning rate was still rising, or the loss still falling.
  std::string training_note(const Point& point) const;
  /// "1200 steps", or "up to 1200 steps" where training may stop before.
  std::string steps_text() const;
  /// "copy, 2 layers": what is trained on.
  std::string title(const std::string& trained_on) const;

 private:
  std::optional<base::Refusal> why_not_placed(const Setting& of, base::Index size, base::Index tokens) const;
};

/// Bound to the members of a struct's part that says how it is trained; the default task comes first among all.
Axes<TrainingDefinition> training_axes(const std::string& default_task);

/// The axes of an experiment that trains: those of training_axes, then its own.
template <class T>
Axes<T> trained_axes(const std::string& default_task, const Axes<T>& own) {
  Axes<T> all;
  for (const BoundAxis<TrainingDefinition>& axis : training_axes(default_task)) all.push_back(axis.template of<T>());
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

}  // namespace poslab::experiments
