// SPDX-License-Identifier: Apache-2.0
// The smallest base of J planes whose sum of cosines is not negative at any of the distances 0 .. L - 1.
//
// The bases that do it are no interval: a sum that is negative at some distance may be positive at a smaller base and a
// larger one. Bisection finds some end of some interval. This search leaves no base out: it goes up from 1, and each
// step is one over which a sum that is negative stays so, whatever its slope.
// Dimension letters: J planes, L positions.
#pragma once

#include <optional>

#include "poslab/base/array.hpp"

namespace poslab::experiments::base_bounds {

using base::Index;

/// How finely two bases are told apart: admissible ones that fill less than this of themselves may be passed over.
inline constexpr double finest_step = 1e-9;

/// The greatest number below which no base above 1 is admissible, but for `finest_step`; 1 where all are. None: there
/// is none up to `highest`.
std::optional<double> smallest_base(Index J, Index L, double highest);

}  // namespace poslab::experiments::base_bounds
