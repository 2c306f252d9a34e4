// SPDX-License-Identifier: Apache-2.0
// A network in training: its parameters, the optimiser, step by step.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "poslab/base/error.hpp"
#include "poslab/network/network.hpp"
#include "poslab/training/adamw.hpp"
#include "poslab/training/schedule.hpp"

namespace poslab::training {

/// A loss or a gradient that is no number any more.
struct Diverged : base::Error {
  Diverged(std::uint64_t step, double loss, double gradient_norm, double learning_rate);
  /// `what`: of an operation in it.
  Diverged(std::uint64_t step, const std::string& what, double learning_rate);
};

/// A checkpoint that is not of this training.
base::Error other_checkpoint(std::size_t bytes, std::size_t expected);

struct StepReport {
  double loss = 0, gradient_norm = 0, learning_rate = 0;
};

template <class S>
class Trainer {
 public:
  /// `largest`: the largest batch that is coming. Starts from `parameters`, whose layout must outlive it.
  Trainer(const network::Configuration& configuration, const host::LayerSchemes& schemes,
          network::Parameters<S> parameters, const AdamWOptions& options, const Schedule& schedule,
          const network::Capacity& largest);

  /// One update. Sequences at positions of their own go through the network one by one; so do those of different
  /// lengths where a scheme may depend on the length. Throws Diverged.
  StepReport step(const network::Batch& batch);
  std::uint64_t steps() const { return optimiser_.steps(); }
  const network::Parameters<S>& parameters() const { return parameters_; }

  /// Parameters, moments and step, to go on from with the same bits.
  std::string state() const;
  void resume(std::string_view state);  ///< throws `other_checkpoint`

 private:
  double loss_of(const network::Batch& batch, double learning_rate);
  double differentiate(const network::Batch& batch);
  double differentiate_one_by_one(const network::Batch& batch);

  Schedule schedule_;
  network::Parameters<S> parameters_, gradient_;
  std::unique_ptr<network::Parameters<S>> share_;  // that of one sequence in the gradient, where they go one by one
  AdamW<S> optimiser_;
  bool is_length_free_;  // the schemes
  network::Network<S> network_;
};

}  // namespace poslab::training
