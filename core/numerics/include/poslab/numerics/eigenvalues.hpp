// SPDX-License-Identifier: Apache-2.0
// Eigenvalues, compiled once: a decomposition takes many times as long to compile as a file that uses one.
// Dimension letters: K rows and columns.
#pragma once

#include <complex>
#include <vector>

#include "poslab/base/array.hpp"

namespace poslab::numerics {

using base::View;

/// The K eigenvalues of A^-1 B, for regular A [K, K] and B [K, K].
std::vector<std::complex<double>> eigenvalues_of_quotient(View<const double> a, View<const double> b);

}  // namespace poslab::numerics
