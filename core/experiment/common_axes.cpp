// SPDX-License-Identifier: Apache-2.0
#include "poslab/experiment/common_axes.hpp"

namespace poslab::experiments {

AxisOf<std::int64_t> length_axis(std::int64_t default_value) {
  return {.name = "length",
          .default_value = default_value,
          .range = from_one,
          .unit = "position",
          .sentence = "N: how many positions the sequence has, 0 to N - 1"};
}

AxisOf<Dtype> dtype_axis() {
  return {.name = "dtype",
          .choices = {{Dtype::float64, "float64"}, {Dtype::float32, "float32"}},
          .sentence =
              "the scalar type in which the scheme works; what is measured of its numbers is worked out in "
              "double where the experiment's page does not say otherwise"};
}

AxisOf<AttentionMask> mask_axis() {
  return {.name = "mask",
          .choices = {{AttentionMask::causal, "causal"}, {AttentionMask::none, "none"}},
          .sentence = "causal: a decoder, whose tokens see those before them; none: an encoder"};
}

AxisOf<std::int64_t> contents_axis() {
  return {.name = "contents",
          .default_value = std::int64_t{16},
          .range = from_one,
          .sentence = "how many random contents are drawn in each repeat"};
}

AxisOf<bool> keep_weights_axis() {
  return {.name = "keep_weights",
          .default_value = false,
          .sentence = "whether the results keep the trained network, for --network and --weights of a later run"};
}

}  // namespace poslab::experiments
