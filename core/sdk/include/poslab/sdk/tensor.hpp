// SPDX-License-Identifier: Apache-2.0
// A dense row-major array that somebody else owns, and the learnable arrays of a scheme.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "poslab/sdk/model.hpp"

namespace poslab {

/// `a(i, j)` is an element, `a.row(i)` the last dimension at i (for rank 2), `a.shape(0)` an extent.
template <class S>
class Tensor {
 public:
  static constexpr int most_axes = 4;

  Tensor() = default;
  Tensor(S* data, int rank, const std::array<Index, most_axes>& shape) : data_(data), rank_(rank), shape_(shape) {}

  template <class... I>
  S& operator()(I... i) const {
    return data_[offset(i...)];
  }
  template <class... I>
  Row<S> row(I... i) const {
    return {data_ + offset(i..., 0), static_cast<std::size_t>(shape_[sizeof...(I)])};
  }
  Index shape(int axis) const { return shape_[static_cast<std::size_t>(axis)]; }
  int rank() const { return rank_; }
  Index size() const { return data_ ? shape_[0] * shape_[1] * shape_[2] * shape_[3] : 0; }
  S* data() const { return data_; }

  template <class... I>
  Index offset(I... i) const {
    static_assert(sizeof...(I) <= most_axes);
    const Index indices[] = {static_cast<Index>(i)..., 0};
    Index result = 0;
    for (std::size_t axis = 0; axis < sizeof...(I); ++axis) result = result * shape_[axis] + indices[axis];
    return result;
  }

 private:
  S* data_ = nullptr;
  int rank_ = 0;
  std::array<Index, most_axes> shape_{1, 1, 1, 1};
};

/// The learnable arrays in declared order: `w[0](bucket, head)`. Weights<S> of gradients: `dw[0](bucket, head) += g`.
template <class S>
class Weights {
 public:
  Weights() = default;
  explicit Weights(const std::vector<Tensor<S>>& arrays) : arrays_(arrays.data()), count_(arrays.size()) {}
  const Tensor<S>& operator[](std::size_t i) const { return arrays_[i]; }
  std::size_t size() const { return count_; }

 private:
  const Tensor<S>* arrays_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace poslab
