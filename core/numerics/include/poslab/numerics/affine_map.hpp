// SPDX-License-Identifier: Apache-2.0
// What linear probes are: a map and an intercept, y = x M + b.
// Dimension letters: R rows, D inputs, E targets.
#pragma once

#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/numerics/inner_product.hpp"

namespace poslab::numerics {

using base::Array;
using base::View;

struct AffineMap {
  Array<double> columns;          ///< [E, D]: the map's columns, one row for each target
  std::vector<double> intercept;  ///< [E]

  /// What it makes of inputs [R, D]: [R, E].
  Array<double> operator()(View<const double> inputs) const {
    const Index R = inputs.shape[0], D = columns.extent(1), E = columns.extent(0);
    Array<double> out{R, E};
    for (Index r = 0; r < R; ++r)
      for (Index e = 0; e < E; ++e)
        out(r, e) = inner_product(&inputs.data[r * D], &columns.data()[e * D], D) + intercept[base::at(e)];
    return out;
  }
};

}  // namespace poslab::numerics
