// SPDX-License-Identifier: Apache-2.0
// How a trained network fares on held-out sequences of one length: in windows that do not overlap, and in one window
// after the other, each moved by one token.
#pragma once

#include <limits>
#include <vector>

#include "poslab/network/network.hpp"
#include "poslab/tasks/task.hpp"

namespace poslab::experiments::language_model {

using base::Index;

struct Evaluation {
  double loss = std::numeric_limits<double>::quiet_NaN();      ///< nats, mean over the tokens that count
  double accuracy = std::numeric_limits<double>::quiet_NaN();  ///< share of them whose target has the largest logit
  std::vector<double> loss_at, accuracy_at;                    ///< [tokens]: over the sequences; NaN where none counts
};

/// On `count` held-out instances of this size, or all that there are, at positions shift, shift + 1, ...; if `probe` is
/// not negative, on those of task.probes()[probe]. The network is as large as one of its batches.
template <class S>
Evaluation evaluate_windows(network::Network<S>& network, const network::Parameters<S>& parameters,
                            const tasks::Task& task, const base::Stream& draws, Index size, Index count,
                            Index shift = 0, int probe = -1);

/// Mean loss of the last token of `count` windows of this size, each one token after the other, in one held-out
/// instance; NaN if the task has none so long.
template <class S>
double sliding_loss(network::Network<S>& network, const network::Parameters<S>& parameters, const tasks::Task& task,
                    const base::Stream& draws, Index size, Index count);

}  // namespace poslab::experiments::language_model
