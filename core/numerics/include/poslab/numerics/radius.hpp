// SPDX-License-Identifier: Apache-2.0
// How near two rows of a table must be to be one.
// Dimension letters: N rows, W columns.
#pragma once

#include <algorithm>
#include <vector>

#include "poslab/base/array.hpp"

namespace poslab::numerics {

/// Two rows collide if they are no farther apart than the larger of their radii.
class Radius {
 public:
  Radius(double of_all) : of_all_(of_all), largest_(of_all) {}
  /// The same share of each row's own norm, rows [N, W]: one large row says nothing of how near others may be.
  template <class S>
  static Radius share_of_norms(double share, base::View<const S> rows);
  /// That of these rows, in this order, of a table.
  Radius of_rows(const std::vector<base::Index>& rows) const;

  double of(base::Index row) const { return of_row_.empty() ? of_all_ : of_row_[static_cast<std::size_t>(row)]; }
  double of(base::Index i, base::Index j) const { return std::max(of(i), of(j)); }
  double largest() const { return largest_; }

 private:
  explicit Radius(std::vector<double> of_row);
  double of_all_, largest_;
  std::vector<double> of_row_;  // [N]; empty where all have the same
};

}  // namespace poslab::numerics
