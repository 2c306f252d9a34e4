// SPDX-License-Identifier: Apache-2.0
// Arrays that an author's code reads while gradients are derived: each element read becomes a leaf of the tape.
#pragma once

#include <algorithm>

#include "poslab/sdk/tensor.hpp"
#include "poslab/sdk/variable.hpp"

namespace poslab {

/// Reads like a Tensor<const double>, whatever the scalar of the array behind it.
template <>
class Tensor<const Variable> {
 public:
  /// One row of it.
  class Line {
   public:
    Line(const Tensor& tensor, Index first, Index count) : tensor_(&tensor), first_(first), count_(count) {}
    Variable operator[](std::size_t i) const {
      sdk::require_below(static_cast<Index>(i), count_, "entry of a row");
      return tensor_->at(first_ + static_cast<Index>(i));
    }
    std::size_t size() const { return static_cast<std::size_t>(count_); }

   private:
    const Tensor* tensor_;
    Index first_, count_;
  };

  Tensor() = default;
  /// Array number `array` of the tape: `source`, all of it.
  template <class S>
  Tensor(sdk::Tape& tape, int array, const Tensor<const S>& source)
      : Tensor(tape, array, source, source.extents(), 0, source.size() / std::max<Index>(source.shape(0), 1)) {}
  /// The part of `source` that begins at `first`; elements whose first indices are neighbours lie `stride` apart.
  template <class S>
  Tensor(sdk::Tape& tape, int array, const Tensor<const S>& source, const Extents& extents, Index first, Index stride)
      : tape_(&tape),
        array_(array),
        read_(read<S>),
        data_(source.data()),
        extents_(extents),
        first_(first),
        stride_(stride) {}

  template <class... I>
  Variable operator()(I... i) const {
    const Index indices[] = {static_cast<Index>(i)..., 0};
    extents_.require(indices, sizeof...(I), false);
    return at(offset(i...));
  }
  template <class... I>
  Line row(I... i) const {
    const Index indices[] = {static_cast<Index>(i)..., 0};
    extents_.require(indices, sizeof...(I), true);
    return {*this, offset(i..., 0), extents_.shape[sizeof...(I)]};
  }
  Index shape(int axis) const { return extents_.shape[static_cast<std::size_t>(axis)]; }
  int rank() const { return extents_.rank; }
  Index size() const { return extents_.size(); }
  const Extents& extents() const { return extents_; }

 private:
  template <class S>
  static double read(const void* data, Index offset) {
    return static_cast<double>(static_cast<const S*>(data)[offset]);
  }
  Variable at(Index offset) const { return tape_->leaf(read_(data_, offset), array_, offset); }

  template <class... I>
  Index offset(I... i) const {
    const Index indices[] = {static_cast<Index>(i)..., 0};
    Index inner = 0;
    for (std::size_t axis = 1; axis < sizeof...(I); ++axis) inner = inner * extents_.shape[axis] + indices[axis];
    return first_ + (sizeof...(I) > 0 ? indices[0] * stride_ : 0) + inner;
  }

  sdk::Tape* tape_ = nullptr;
  int array_ = 0;
  double (*read_)(const void*, Index) = nullptr;
  const void* data_ = nullptr;
  Extents extents_;
  Index first_ = 0, stride_ = 0;
};

}  // namespace poslab
