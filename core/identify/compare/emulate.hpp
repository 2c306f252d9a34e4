// SPDX-License-Identifier: Apache-2.0
// A variant as a program makes it that keeps frequencies, positions or angles in 16 bits. A plane whose angle p w
// becomes another, a, is what the variant makes of it at the position a / w: so the scheme itself is asked, too.
#pragma once

#include "observation.hpp"
#include "poslab/numerics/format.hpp"

namespace poslab::identify {

/// Which plane each column of an observation belongs to, -1 for none. Empty where the variant declares no frequencies,
/// or the observation is of another kind.
std::vector<Index> planes_of_columns(const Candidate& candidate, const Setting& setting,
                                     const Observation& observation);

struct Rounding {
  Precision::Angles stage;
  const numerics::Format& format;
  double nudge = 0;  ///< of an angle before it is rounded, relative to it
};

/// As Observation::predict.
void predict_rounded(const Candidate& candidate, const Setting& setting, const Observation& observation,
                     const std::vector<Index>& plane_of_column, const Rounding& rounding, Index first, Index count,
                     std::span<double> out);

}  // namespace poslab::identify
