// SPDX-License-Identifier: Apache-2.0
// What experiments read off their axes alike: lists, which are dimensions of their curves, depths and the length.
#pragma once

#include <string>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/data/value.hpp"

namespace poslab::experiments {

/// The values of a list, each once, rising.
std::vector<double> rising(std::vector<double> values);
/// 0, 1, ... count - 1: the coordinate of a dimension whose places have no other name.
std::vector<double> numbers_below(base::Index count);

/// The axis `depth`: at which layers of a stack to look, each once, rising.
std::vector<double> depths(const data::Values& axes);
/// The deepest of them: how many layers the stack needs.
base::Index deepest_layer(const data::Values& axes);
/// Why a list is none of whole numbers, or empty: "a depth is a whole number of layers, but 1.5 is asked for".
std::string why_not_whole(const data::Values& axes, const std::string& axis, const std::string& of_what);
std::string why_not_depths(const data::Values& axes);

/// The axis `length`: Experiment::train_length of an experiment at one length.
base::Index axis_length(const data::Values& axes);

}  // namespace poslab::experiments
