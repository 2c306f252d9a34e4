// SPDX-License-Identifier: Apache-2.0
// What attention does at each measured position: how its logits drift away from those of training, for random contents
// and for equal ones, and how many keys hold it.
#pragma once

#include <vector>

#include "measured_positions.hpp"
#include "poslab/experiment/experiment.hpp"

namespace poslab::experiments::extrapolation {

/// One value for each measured position; NaN where the scheme does not serve it.
struct AttentionBeyond {
  std::vector<double> logit_drift, logit_drift_none, equal_drift, effective_window;
};

template <class S>
AttentionBeyond attention_beyond(const Extrapolation& at, const ExperimentInput& input,
                                 const std::vector<MeasuredPosition>& measured);

}  // namespace poslab::experiments::extrapolation
