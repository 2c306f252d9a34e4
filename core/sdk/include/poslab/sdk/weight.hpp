// SPDX-License-Identifier: Apache-2.0
// How a scheme declares its learnable arrays: name, shape and initialisation as data. The host owns and draws them.
//   std::vector<Weight> weights(const Model& m) const {
//     return {normal("table", {buckets, m.H}, 1 / std::sqrt(m.D), "bias of a bucket in a head")};
//   }
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "poslab/plugin.h"

namespace poslab {

struct Weight {
  std::string name;  ///< lower_case
  std::vector<std::int64_t> shape;
  poslab_initialisation initialisation;
  double first, second;  ///< constant: value; normal: mean and standard deviation; uniform: from first to second
  std::string sentence;
  bool per_layer = false;
  bool is_frozen = false;

  /// Every layer has its own; without this, all layers share one.
  Weight each_layer() const {
    Weight result = *this;
    result.per_layer = true;
    return result;
  }
  /// Drawn like the others, but training leaves it as it was drawn.
  Weight frozen() const {
    Weight result = *this;
    result.is_frozen = true;
    return result;
  }
};

using Shape = std::vector<std::int64_t>;

inline Weight constant(std::string name, Shape shape, double value, std::string sentence = "") {
  return {std::move(name), std::move(shape), POSLAB_CONSTANT, value, 0, std::move(sentence)};
}
/// Independent, mean 0.
inline Weight normal(std::string name, Shape shape, double standard_deviation, std::string sentence = "") {
  return {std::move(name), std::move(shape), POSLAB_NORMAL, 0, standard_deviation, std::move(sentence)};
}
/// Independent, from `lowest` up to, not including, `highest`.
inline Weight uniform(std::string name, Shape shape, double lowest, double highest, std::string sentence = "") {
  return {std::move(name), std::move(shape), POSLAB_UNIFORM, lowest, highest, std::move(sentence)};
}

// In another order.
#define POSLAB_SDK_ORDER(name, numbers)                                                                          \
  template <bool written = false, class... Given>                                                                \
  Weight name(const Shape&, const char*, Given&&...) {                                                           \
    static_assert(written, "a weight is written " #name "(\"name\", {rows, m.H}, " numbers ", \"a sentence\")"); \
    return {};                                                                                                   \
  }
POSLAB_SDK_ORDER(constant, "value")
POSLAB_SDK_ORDER(normal, "standard deviation")
POSLAB_SDK_ORDER(uniform, "lowest, highest")
#undef POSLAB_SDK_ORDER

}  // namespace poslab
