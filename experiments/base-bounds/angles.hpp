// SPDX-License-Identifier: Apache-2.0
// The angles by which a scheme rotates, if they are those of one base: theta_i = base^(-i / J), i = 0 .. J - 1.
// Dimension letters: J planes.
#pragma once

#include <string>
#include <vector>

#include "poslab/host/scheme.hpp"

namespace poslab::experiments::base_bounds {

struct Angles {
  std::vector<double> of_planes;  ///< [J] radians per position, falling from 1
  double base = 0;                ///< above 1
};

/// Nothing, or why the scheme's angles are not those of one base above 1: the sentence for a skipped cell.
std::optional<base::Refusal> why_no_base(const host::Scheme& scheme);
/// The angles of a scheme that has such a base.
Angles angles_of(const host::Scheme& scheme);

}  // namespace poslab::experiments::base_bounds
