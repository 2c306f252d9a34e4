// SPDX-License-Identifier: Apache-2.0
// What a scheme's declared inverse frequencies claim of its codes. A claim is only where a search may begin: every row
// is compared with it before anything rests on it (numerics/rotation.hpp).
#pragma once

#include "poslab/data/placement.hpp"
#include "poslab/host/scheme.hpp"
#include "poslab/numerics/rotation.hpp"

namespace poslab::experiments {

/// What is claimed of the codes of positions that follow each other, all heads side by side
/// (attention::position_signatures); empty for other placements.
numerics::RotationClaim rotation_claim(const host::Scheme& scheme, const data::Placement& placement);

/// Whether the codes of the first positions rotate as claimed: what a forecast goes by.
bool seems_to_rotate(const host::Scheme& scheme, const data::Placement& placement, base::Index N);

}  // namespace poslab::experiments
