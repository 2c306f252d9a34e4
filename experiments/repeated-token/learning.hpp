// SPDX-License-Identifier: Apache-2.0
// What training could learn from a repeated token.
#pragma once

#include "poslab/network/network.hpp"
#include "repeated-token.hpp"

namespace poslab::experiments::repeated_token {

/// The network whose gradient is looked at; the scheme has gradients (attention::has_gradients).
network::Configuration learning_network(const RepeatedToken& at, const host::Scheme& scheme);

/// |gradient of the loss by all W_q and W_k| / |that by all W_v|: one token, repeated, with random targets.
double gradient_ratio(const RepeatedToken& at, const ExperimentInput& input);

}  // namespace poslab::experiments::repeated_token
