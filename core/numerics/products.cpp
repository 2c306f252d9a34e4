// SPDX-License-Identifier: Apache-2.0
#include "poslab/numerics/products.hpp"

#include "poslab/numerics/eigen.hpp"

namespace poslab::numerics {
namespace {

template <class S>
ConstStridedMatrix<S> mapped(const Matrix<S>& matrix) {
  return {matrix.data, matrix.rows, matrix.columns, Eigen::OuterStride<>(matrix.distance)};
}

}  // namespace

template <class S>
void multiply(Matrix<S> left, Matrix<S> right, S* out) {
  Eigen::Map<RowMajor<S>>(out, left.rows, right.columns).noalias() = mapped(left) * mapped(right);
}

template <class S>
void multiply_scaled(Matrix<S> left, Matrix<S> right, S factor, S* out) {
  Eigen::Map<RowMajor<S>>(out, left.rows, right.columns).noalias() = factor * mapped(left) * mapped(right);
}

template <class S>
void multiply_rows(Matrix<S> left, Matrix<S> right, S factor, S* out) {
  Eigen::Map<RowMajor<S>>(out, left.rows, right.rows).noalias() = factor * mapped(left) * mapped(right).transpose();
}

template <class S>
void add_products_of_rows(Matrix<S> left, Matrix<S> right, S* out) {
  Eigen::Map<RowMajor<S>>(out, left.rows, right.rows).noalias() += mapped(left) * mapped(right).transpose();
}

template <class S>
void add_product(Matrix<S> left, Matrix<S> right, S factor, S* out) {
  Eigen::Map<RowMajor<S>>(out, left.rows, right.columns).noalias() += factor * mapped(left) * mapped(right);
}

template <class S>
void add_products_of_columns(Matrix<S> left, Matrix<S> right, S factor, S* out) {
  Eigen::Map<RowMajor<S>>(out, left.columns, right.columns).noalias() +=
      factor * mapped(left).transpose() * mapped(right);
}

#define POSLAB_FOR(S)                                              \
  template void multiply<S>(Matrix<S>, Matrix<S>, S*);             \
  template void multiply_scaled<S>(Matrix<S>, Matrix<S>, S, S*);   \
  template void multiply_rows<S>(Matrix<S>, Matrix<S>, S, S*);     \
  template void add_products_of_rows<S>(Matrix<S>, Matrix<S>, S*); \
  template void add_product<S>(Matrix<S>, Matrix<S>, S, S*);       \
  template void add_products_of_columns<S>(Matrix<S>, Matrix<S>, S, S*);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::numerics
