// SPDX-License-Identifier: Apache-2.0
// A variant as a program makes it that keeps frequencies, positions or angles in 16 bits. A plane whose angle p w
// becomes another, a, is what the variant makes of it at the position a / w: so the scheme itself is asked, too.
#pragma once

#include <optional>

#include "observation.hpp"
#include "poslab/numerics/format.hpp"

namespace poslab::identify {

/// Which plane each column of an observation belongs to, -1 for none. Empty where the variant declares no frequencies,
/// or the observation is of another kind.
std::vector<Index> planes_of_columns(const Candidate& candidate, const Setting& setting,
                                     const Observation& observation);

/// What is added to angles on the way: to see what an error does.
struct Nudge {
  double before = 0;                 ///< it is rounded, relative to the angle
  std::optional<double> after = {};  ///< to the plane's position p, relative to 1 + |p|; results are not rounded then
  Beside tables = {};                ///< before cosines and sines are
};
struct Rounding {
  Precision::Angles stage;
  const numerics::Format& format;
  Nudge nudge;
};

/// What each head of a bias is multiplied with where its slope is rounded: of one that falls in proportion to the
/// distance; empty where it does not.
std::vector<double> factors_of_rounded_slopes(const Candidate& candidate, const Setting& setting,
                                              const Observation& observation, const numerics::Format& format);

/// As Observation::predict. Of a stage other than `tables`, if there is something to do after it.
void predict_rounded(const Candidate& candidate, const Setting& setting, const Observation& observation,
                     const std::vector<Index>& plane_of_column, const Rounding& rounding, Index first, Index count,
                     std::span<double> out);

}  // namespace poslab::identify
