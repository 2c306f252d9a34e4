// SPDX-License-Identifier: Apache-2.0
// How many directions a matrix fills alike.
// Dimension letters: M rows, W columns.
#pragma once

#include <vector>

#include "poslab/base/array.hpp"

namespace poslab::experiments::effective_dimension {

using base::Array;
using base::Index;
using base::View;

/// (sum x)^2 / sum x^2 of numbers that are not negative: k where k of them are equal and the others 0; 0 where all are
/// 0.
double participation(const std::vector<double>& shares);

/// The eigenvalues of the Gram matrix A A^T of A [M, W], without those that are 0 because of its shape: min(M, W) of
/// them in falling order.
std::vector<double> gram_eigenvalues(View<const double> a);

/// The least number of the first of them, in falling order, that hold this share of their sum; 0 where all are 0.
Index directions(const std::vector<double>& falling, double share);

/// Over their sum; zeros stay zeros.
std::vector<double> normalised(std::vector<double> values);

/// Each column less its mean over rows; each row less its mean over columns.
Array<double> less_mean_of_columns(View<const double> a);
Array<double> less_mean_of_rows(View<const double> a);

}  // namespace poslab::experiments::effective_dimension
