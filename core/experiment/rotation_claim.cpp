// SPDX-License-Identifier: Apache-2.0
#include "poslab/experiment/rotation_claim.hpp"

#include <algorithm>

#include "poslab/attention/signatures.hpp"
#include "poslab/base/error.hpp"

namespace poslab::experiments {

using base::Array;
using base::Index;

numerics::RotationClaim rotation_claim(const host::Scheme& scheme, const data::Placement& placement) {
  const bool follow_each_other = placement.is_plain() || placement.policy == data::Placement::Policy::shifted;
  if (!follow_each_other) return {};
  const auto declared = scheme.inverse_frequency();
  return {{declared.begin(), declared.end()},
          scheme.has(host::Operation::encode) ? Index{1} : scheme.model().heads,
          placement.lowest()};
}

bool seems_to_rotate(const host::Scheme& scheme, const data::Placement& placement, Index N) {
  const numerics::RotationClaim claim = rotation_claim(scheme, placement);
  if (claim.angles.empty() || N < 2) return false;
  Array<double> positions{std::min<Index>(N, 4), 1};
  for (Index n = 0; n < positions.extent(0); ++n) positions(n, 0) = placement.lowest() + static_cast<double>(n);
  const host::Weights<double> weights(scheme.weights(), 1);
  try {
    const Array<double> codes = attention::position_signatures<double>(scheme, {N, scheme.model().train_length, true},
                                                                       positions, weights.layer(0));
    return numerics::certify<double>(codes, claim).has_value();
  } catch (const base::Error&) {
    return false;  // the cell itself will report it
  }
}

}  // namespace poslab::experiments
