// SPDX-License-Identifier: Apache-2.0
// What a scheme's declared inverse frequencies claim of its codes. A claim is only where a search may begin: every row is
// compared with it before anything rests on it (numerics/turning.hpp).
#pragma once

#include "poslab/attention/signatures.hpp"
#include "poslab/data/placement.hpp"
#include "poslab/numerics/turning.hpp"

namespace poslab::experiments::uniqueness {

/// Of codes of positions that follow each other; empty for any other.
numerics::TurningClaim claim_of(const host::Scheme& scheme, attention::SignatureKind kind,
                                const data::Placement& placement);

/// Whether the codes of the first positions turn as claimed: what a forecast goes by.
bool seems_to_turn(const host::Scheme& scheme, attention::SignatureKind kind, const data::Placement& placement,
                   base::Index N);

}  // namespace poslab::experiments::uniqueness
