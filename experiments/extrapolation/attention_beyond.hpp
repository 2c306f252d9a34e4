// SPDX-License-Identifier: Apache-2.0
// What attention over random contents does at each place: how its logits drift away from those of training, and how
// many keys hold it.
#pragma once

#include <vector>

#include "places.hpp"
#include "poslab/experiments/experiment.hpp"

namespace poslab::experiments::extrapolation {

/// One value a place; NaN where the scheme does not serve it.
struct AttentionBeyond {
  std::vector<double> logit_drift, effective_window;
};

template <class S>
AttentionBeyond attention_beyond(const Trial& trial, const std::vector<Place>& places);

}  // namespace poslab::experiments::extrapolation
