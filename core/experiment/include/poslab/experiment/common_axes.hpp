// SPDX-License-Identifier: Apache-2.0
// The axes that several experiments share.
#pragma once

#include <string>
#include <vector>

#include "poslab/experiment/axes.hpp"
#include "poslab/experiment/measure.hpp"

namespace poslab::experiments {

enum class Dtype { float64, float32 };
enum class AttentionMask { causal, none };

/// Curves over the depths of a stack, over the places in a sequence, over the heads of a layer.
struct Depth {
  static constexpr InnerAxis dimension{"depth"};
};
struct Place {
  static constexpr Dimension dimension{
      .name = "position", .unit = "position", .sentence = "place in the sequence, from 0", .within = [] {
        return std::vector<std::string>{"length"};
      }};
};
struct Head {
  static constexpr Dimension dimension{.name = "head", .sentence = "head of attention, from 0", .within = [] {
                                         return std::vector<std::string>{"heads"};
                                       }};
};

/// A sequence's `length`, N.
AxisOf<std::int64_t> length_axis(std::int64_t default_value = 512);
AxisOf<Dtype> dtype_axis();
AxisOf<AttentionMask> mask_axis();
AxisOf<std::int64_t> contents_axis();
/// An axis of experiments that train: whether the record keeps the weights (data::Record::keep), those of the scheme
/// under `scheme/<weight>`, or `scheme/<weight>/<layer>` where each layer has its own.
AxisOf<bool> keep_weights_axis();

}  // namespace poslab::experiments
