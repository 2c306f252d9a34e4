// SPDX-License-Identifier: Apache-2.0
// Eigen as poslab uses it: row-major views of our arrays, and no threads of its own. Only for private sources: products
// and decompositions have plain functions before them (products.hpp, linear_fit.hpp, decompositions.hpp), since their
// templates take long to compile.
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
