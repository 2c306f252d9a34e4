// SPDX-License-Identifier: Apache-2.0
// How far the key of a pair lies before its query.
// Dimension letters: N tokens, A axes of a position.
#pragma once

#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/data/placement.hpp"

namespace poslab::experiments::distance_profile {

using base::Index;
using base::View;

/// The distances of the pairs of a sequence or a grid. In a sequence m - n: 0 .. N-1, or from -(N-1) where keys after
/// the query count too. On a grid the length of the offset, rounded to a whole number: it has no sign.
class Distances {
 public:
  /// `positions` [N, A]
  Distances(const data::Placement& placement, View<const double> positions, bool both_signs);
  Index tokens() const { return tokens_; }
  const std::vector<double>& values() const { return values_; }  ///< rising, one apart
  std::size_t zero() const { return zero_; }                     ///< which of them is 0
  /// Which of them is that of the query and the key at these places in the sequence.
  std::size_t of(Index query, Index key) const {
    return of_pair_.empty() ? static_cast<std::size_t>(static_cast<Index>(zero_) + query - key)
                            : of_pair_[static_cast<std::size_t>(query * tokens_ + key)];
  }

 private:
  Index tokens_;
  std::size_t zero_ = 0;
  std::vector<double> values_;
  std::vector<std::uint32_t> of_pair_;  ///< [N, N]; empty where it is query - key
};

/// The distances from 0 on of a curve over all of them: those of the keys before the query, and itself.
std::vector<double> before_the_query(const std::vector<double>& curve, std::size_t zero);

}  // namespace poslab::experiments::distance_profile
