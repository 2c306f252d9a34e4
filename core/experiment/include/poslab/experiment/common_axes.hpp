// SPDX-License-Identifier: Apache-2.0
// The axes that several experiments share.
#pragma once

#include <vector>

#include "poslab/experiment/axes.hpp"

namespace poslab::experiments {

enum class Dtype { float64, float32 };
enum class AttentionMask { causal, none };

/// A sequence's `length`, N.
AxisOf<std::int64_t> length_axis(std::int64_t default_value = 512);
AxisOf<Dtype> dtype_axis();
AxisOf<AttentionMask> mask_axis();
AxisOf<std::int64_t> contents_axis();
/// An axis of experiments that train: whether the record keeps the weights (data::Record::keep), those of the scheme
/// under `scheme/<weight>`, or `scheme/<weight>/<layer>` where each layer has its own.
AxisOf<bool> keep_weights_axis();

}  // namespace poslab::experiments
