// SPDX-License-Identifier: Apache-2.0
// Which offsets there are: those of one token's position to all.
#include "poslab/attention/signatures.hpp"
#include "score_changes.hpp"

namespace poslab::attention {

Index query_of(Offsets kind_of_offsets, std::span<const Index> extents) {
  Index query = 0;
  for (const Index extent : extents)
    query = query * extent + (kind_of_offsets == Offsets::causal ? extent - 1 : extent / 2);
  return query;
}

Array<double> offset_vectors(View<const double> positions, Index query) {
  const OffsetRange offsets{positions, query};
  const Index R = offsets.count(), A = positions.shape[1];
  Array<double> vectors{R, A};
  for (Index r = 0; r < R; ++r)
    for (Index axis = 0; axis < A; ++axis)
      vectors(r, axis) = positions(query, axis) - positions(offsets.key_of(r), axis);
  return vectors;
}

}  // namespace poslab::attention
