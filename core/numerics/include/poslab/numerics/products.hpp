// SPDX-License-Identifier: Apache-2.0
// Products of matrices, compiled once: Eigen's kernels for them are among the dearest templates of the project.
// All matrices are row-major; `out` must not overlap the factors. One thread; float and double.
// Dimension letters: M and N rows, W width.
#pragma once

#include "poslab/base/array.hpp"

namespace poslab::numerics {

using base::Index;
using base::View;

/// Rows that need not follow each other directly: element (i, k) is data[i * distance + k].
template <class S>
struct Matrix {
  const S* data;
  Index rows, columns;
  Index distance = columns;  ///< from one row to the next

  Matrix(const S* numbers, Index row_count, Index column_count, Index row_distance)
      : data(numbers), rows(row_count), columns(column_count), distance(row_distance) {}
  Matrix(const S* numbers, Index row_count, Index column_count)
      : Matrix(numbers, row_count, column_count, column_count) {}
  Matrix(View<const S> view) : Matrix(view.data, view.shape[0], view.shape[1]) {}
  Matrix(View<S> view) : Matrix(view.data, view.shape[0], view.shape[1]) {}
};

/// out [M, N] = left [M, W] right [W, N]
template <class S>
void multiply(Matrix<S> left, Matrix<S> right, S* out);

/// out [M, N] = factor * left [M, W] right [W, N]. Not the same bits as the product without a factor, even where that
/// is 1: for the smallest matrices (M + N + W < 20) Eigen adds in another order.
template <class S>
void multiply_scaled(Matrix<S> left, Matrix<S> right, S factor, S* out);

/// out [M, N] = factor * left [M, W] right [N, W]^T: all inner products of their rows.
template <class S>
void multiply_rows(Matrix<S> left, Matrix<S> right, S factor, S* out);

/// out [M, N] += left [M, W] right [N, W]^T
template <class S>
void add_products_of_rows(Matrix<S> left, Matrix<S> right, S* out);

/// out [M, N] += factor * left [M, W] right [W, N]
template <class S>
void add_product(Matrix<S> left, Matrix<S> right, S factor, S* out);

/// out [M, N] += factor * left [W, M]^T right [W, N]: inner products of their columns.
template <class S>
void add_products_of_columns(Matrix<S> left, Matrix<S> right, S factor, S* out);

}  // namespace poslab::numerics
