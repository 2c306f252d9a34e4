// SPDX-License-Identifier: Apache-2.0
// Decompositions of matrices, compiled once: one takes many times as long to compile as a file that uses it.
#pragma once

#include <complex>
#include <vector>

#include "poslab/base/array.hpp"

namespace poslab::numerics {

using base::View;

/// The min(M, N) singular values of A [M, N], in falling order.
std::vector<double> singular_values(View<const double> a);

/// The K eigenvalues of A^-1 B, for regular A [K, K] and B [K, K].
std::vector<std::complex<double>> eigenvalues_of_quotient(View<const double> a, View<const double> b);

}  // namespace poslab::numerics
