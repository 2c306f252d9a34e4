// SPDX-License-Identifier: Apache-2.0
// Singular values, compiled once: a decomposition takes many times as long to compile as a file that uses one.
// Dimension letters: M rows, N columns.
#pragma once

#include <vector>

#include "poslab/base/array.hpp"

namespace poslab::numerics {

using base::View;

/// The min(M, N) singular values of A [M, N], in falling order.
std::vector<double> singular_values(View<const double> a);

}  // namespace poslab::numerics
