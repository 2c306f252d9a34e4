// SPDX-License-Identifier: Apache-2.0
// Eigen as this room uses it: row-major looks at our arrays, and no threads of its own.
#pragma once

#ifndef EIGEN_DONT_PARALLELIZE
#define EIGEN_DONT_PARALLELIZE
#endif
#include <Eigen/Core>

namespace poslab::numerics {

template <class S>
using RowMajor = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class S>
using ConstStridedMatrix = Eigen::Map<const RowMajor<S>, Eigen::Unaligned, Eigen::OuterStride<>>;

}  // namespace poslab::numerics
