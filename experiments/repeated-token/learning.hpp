// SPDX-License-Identifier: Apache-2.0
// What training could learn from a repeated token.
#pragma once

#include "poslab/experiment/experiment.hpp"
#include "poslab/network/network.hpp"

namespace poslab::experiments::repeated_token {

/// The network whose gradient is looked at; the scheme has gradients (attention::has_gradients).
network::Configuration learning_network(const host::Scheme& scheme, const data::Values& axes, base::Index layers);

/// |gradient of the loss by all W_q and W_k| / |that by all W_v|: one token, repeated, with random targets.
double query_key_gradient(const ExperimentInput& input, const host::Weights<double>& weights, base::Index layers);

}  // namespace poslab::experiments::repeated_token
