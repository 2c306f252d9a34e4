// SPDX-License-Identifier: Apache-2.0
// The logits of all pairs of a sequence, gathered by distance.
// Dimension letters: H heads, R distances, C contents.
#pragma once

#include <vector>

#include "distances.hpp"
#include "poslab/attention/signatures.hpp"
#include "poslab/experiment/experiment.hpp"
#include "sequence.hpp"

namespace poslab::experiments::distance_profile {

/// Mean and standard deviation of the logits at each distance, and how far the scheme has moved their mean, beside that
/// of the query's own key: the logit less that of the same contents without positions, less the same of the own key.
/// What it adds to all keys of a query alike is no change, as softmax cancels it.
struct Curves {
  std::vector<double> mean, deviation, change;
};

struct Profile {
  Curves all, of_heads;                             ///< [R] over heads, contents and pairs; [H, R] over the latter two
  std::vector<std::vector<double>> content_change;  ///< of each content: [R] over heads and pairs
};

/// The profile of C contents drawn again; ones are the same each time.
template <class S>
Profile profile(const ExperimentInput& input, attention::Offsets offsets, const Distances& distances, Contents contents,
                Index count);

}  // namespace poslab::experiments::distance_profile
