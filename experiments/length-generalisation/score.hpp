// SPDX-License-Identifier: Apache-2.0
// How a trained network fares on instances of one size.
#pragma once

#include <limits>

#include "poslab/network/network.hpp"
#include "poslab/tasks/task.hpp"

namespace poslab::experiments::length_generalisation {

using base::Index;

/// NaN: not measured.
struct Score {
  double loss = std::numeric_limits<double>::quiet_NaN();      ///< nats, mean over the tokens that count
  double accuracy = std::numeric_limits<double>::quiet_NaN();  ///< share of them whose target has the largest logit
  double exact = std::numeric_limits<double>::quiet_NaN();     ///< share of sequences all of whose tokens are right
};

/// On `count` held-out instances of this size, or all that there are, sequences_at_once of them in one batch.
template <class S>
Score score_of(network::Network<S>& network, const network::Parameters<S>& parameters, const tasks::Task& task,
               const base::Stream& draws, Index size, Index count, bool on_grid = false);

}  // namespace poslab::experiments::length_generalisation
