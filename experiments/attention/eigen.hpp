// SPDX-License-Identifier: Apache-2.0
// Eigen as this room uses it: row-major looks at our arrays, and no threads of its own.
#pragma once

#ifndef EIGEN_DONT_PARALLELIZE
#define EIGEN_DONT_PARALLELIZE
#endif
#include <Eigen/Core>

#include "poslab/base/array.hpp"

namespace poslab::attention {

template <class S>
using RowMajor = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A rank-2 view as a matrix.
template <class S>
Eigen::Map<const RowMajor<S>> matrix(base::View<const S> view) {
  return {view.data, view.shape[0], view.shape[1]};
}
template <class S>
Eigen::Map<RowMajor<S>> matrix(base::View<S> view) {
  return {view.data, view.shape[0], view.shape[1]};
}

}  // namespace poslab::attention
