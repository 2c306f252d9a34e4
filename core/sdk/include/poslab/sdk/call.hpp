// SPDX-License-Identifier: Apache-2.0
// One call as the host made it: only what lies within its `size` is read, and every view is checked before use.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include "poslab/plugin.h"
#include "poslab/sdk/failure.hpp"
#include "poslab/sdk/model.hpp"
#include "poslab/sdk/tensor.hpp"

namespace poslab::sdk {

template <class S>
inline constexpr int scalar_of = std::is_same_v<std::remove_const_t<S>, float> ? POSLAB_F32 : POSLAB_F64;

/// A struct of the boundary as far as its maker filled it; the rest reads as zero.
template <class Struct>
Struct within_size(const Struct& given) {
  Struct result{};
  std::memcpy(&result, &given, std::min<std::size_t>(given.size, sizeof result));
  result.size = sizeof result;
  return result;
}

inline std::string scalar_text(int scalar) {
  return scalar == POSLAB_F32 ? "f32" : scalar == POSLAB_F64 ? "f64" : text(scalar);
}

inline std::string shape_text(const Index* shape, int rank) {
  std::string result = "[";
  for (int axis = 0; axis < rank; ++axis) result += text(axis ? ", " : "", shape[axis]);
  return result + "]";
}

/// `view` as a tensor of S with these extents; a malformed_call otherwise.
template <class S>
Tensor<S> checked(const poslab_view* view, const char* name, const Extents& extents) {
  if (!view) malformed_call(text("`", name, "` is null"));
  if (view->scalar != scalar_of<S>)
    malformed_call(
        text("`", name, "` has the scalar type ", scalar_text(view->scalar), ", not ", scalar_text(scalar_of<S>)));
  const bool same =
      view->rank == extents.rank && std::equal(view->shape, view->shape + extents.rank, extents.shape.begin());
  if (!same)
    malformed_call(text("`", name, "` has the shape ",
                        shape_text(view->shape, std::clamp(view->rank, 0, Extents::most)), ", not ",
                        shape_text(extents.shape.data(), extents.rank)));
  if (extents.size() > 0 && !view->data) malformed_call(text("the data of `", name, "` is null"));
  return {static_cast<S*>(view->data), extents};
}

/// Which positions a variant serves.
struct PositionRule {
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  int least_axes = 1, most_axes = 1;
  bool real = true;
};

[[noreturn]] inline void refuse_position(double position, Index index, const PositionRule& rule) {
  std::string reason;
  if (!std::isfinite(position))
    reason = "is not finite";
  else if (position < rule.lowest)
    reason = text("is below ", rule.lowest, ", the lowest that this variant serves");
  else if (position > rule.highest)
    reason = text("is beyond ", rule.highest, ", the highest that this variant serves");
  else
    reason = "lies between the integers, where this scheme means nothing";
  throw Failure(POSLAB_OUT_OF_RANGE, text("position ", position, " (at index ", index, ") ", reason));
}

/// Positions [N, A] of the view, every one of them served.
inline Points checked_positions(const poslab_view* view, const char* name, const PositionRule& rule) {
  if (!view) malformed_call(text("`", name, "` is null"));
  if (view->rank != 2) malformed_call(text("`", name, "` must be [N, A], but has rank ", view->rank));
  const Index N = view->shape[0], A = view->shape[1];
  if (A < rule.least_axes || A > rule.most_axes)
    throw Failure(POSLAB_REFUSED,
                  text("positions have ", A, A == 1 ? " axis" : " axes", ", but this scheme serves ", rule.least_axes,
                       rule.least_axes == rule.most_axes ? "" : text(" to ", rule.most_axes)));
  const Tensor<const double> numbers = checked<const double>(view, name, Extents{N, A});
  const double* data = numbers.data();
  constexpr double largest = std::numeric_limits<double>::max();
  const double lowest = std::max(rule.lowest, -largest), highest = std::min(rule.highest, largest);
  bool served = true;  // one flag, no early exit: vector code
  for (Index i = 0; i < N * A; ++i) served &= (data[i] >= lowest) & (data[i] <= highest);
  if (!rule.real)
    for (Index i = 0; i < N * A; ++i) served &= data[i] == std::trunc(data[i]);
  if (!served)
    for (Index i = 0; i < N * A; ++i)
      if (!(data[i] >= lowest && data[i] <= highest) || (!rule.real && data[i] != std::trunc(data[i])))
        refuse_position(data[i], i / A, rule);
  return {data, N, static_cast<int>(A)};
}

inline Context context_of(const poslab_call& call) {
  return {call.length, call.train_length, call.causal != 0, call.layer};
}

}  // namespace poslab::sdk
