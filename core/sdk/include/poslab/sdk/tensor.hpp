// SPDX-License-Identifier: Apache-2.0
// A dense row-major array that somebody else owns, and the learnable arrays of a scheme.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <vector>

#include "poslab/sdk/bounds.hpp"
#include "poslab/sdk/model.hpp"
#include "poslab/sdk/row.hpp"

namespace poslab {

/// The shape of an array: its rank, and extents that are 1 beyond it.
struct Extents {
  static constexpr int most = 4;
  int rank = 0;
  std::array<Index, most> shape{1, 1, 1, 1};

  Extents() = default;
  Extents(const Index* given, int axes) : rank(axes) { std::copy(given, given + axes, shape.begin()); }
  Extents(std::initializer_list<Index> given) : Extents(given.begin(), static_cast<int>(given.size())) {}
  Index size() const { return shape[0] * shape[1] * shape[2] * shape[3]; }
  bool operator==(const Extents&) const = default;

  /// Throws Failure unless these are indices of the first axes; `of_row`: of all but the last one, else of all.
  void require(const Index* indices, std::size_t count, bool of_row) const {
    if constexpr (sdk::checks_bounds) {
      bool is_there = count + (of_row ? 1 : 0) == static_cast<std::size_t>(rank);
      for (std::size_t axis = 0; axis < count; ++axis) is_there &= indices[axis] >= 0 && indices[axis] < shape[axis];
      if (!is_there) sdk::no_such_entry(indices, count, shape.data(), static_cast<std::size_t>(rank));
    }
  }
};

/// `a(i, j)` is an element, `a.row(i)` the last dimension at i (for rank 2), `a.shape(0)` an extent.
template <class S>
class Tensor {
 public:
  Tensor() = default;
  Tensor(S* data, const Extents& extents) : data_(data), extents_(extents) {}

  template <class... I>
  S& operator()(I... i) const {
    const Index indices[] = {static_cast<Index>(i)..., 0};
    extents_.require(indices, sizeof...(I), false);
    return data_[offset(i...)];
  }
  template <class... I>
  Row<S> row(I... i) const {
    const Index indices[] = {static_cast<Index>(i)..., 0};
    extents_.require(indices, sizeof...(I), true);
    return {data_ + offset(i..., 0), static_cast<std::size_t>(extents_.shape[sizeof...(I)])};
  }
  Index shape(int axis) const { return extents_.shape[static_cast<std::size_t>(axis)]; }
  const Extents& extents() const { return extents_; }
  int rank() const { return extents_.rank; }
  Index size() const { return extents_.size(); }
  S* data() const { return data_; }

  template <class... I>
  Index offset(I... i) const {
    static_assert(sizeof...(I) <= Extents::most);
    const Index indices[] = {static_cast<Index>(i)..., 0};
    Index result = 0;
    for (std::size_t axis = 0; axis < sizeof...(I); ++axis) result = result * extents_.shape[axis] + indices[axis];
    return result;
  }

 private:
  S* data_ = nullptr;
  Extents extents_;
};

/// The learnable arrays in declared order: `w[0](bucket, head)`. Weights<S> of gradients: `dw[0](bucket, head) += g`.
template <class S>
class Weights {
 public:
  Weights() = default;
  explicit Weights(const std::vector<Tensor<S>>& arrays) : arrays_(arrays.data()), count_(arrays.size()) {}
  const Tensor<S>& operator[](std::size_t i) const {
    sdk::require_below(static_cast<Index>(i), static_cast<Index>(count_), "weight");
    return arrays_[i];
  }
  std::size_t size() const { return count_; }

 private:
  const Tensor<S>* arrays_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace poslab
