// SPDX-License-Identifier: Apache-2.0
// What experiments read off their axes alike: lists, which are dimensions of their curves, depths and the length.
#pragma once

#include <string>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/data/placement.hpp"
#include "poslab/data/value.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::experiments {

/// The values of a list, each once, rising.
std::vector<double> rising(std::vector<double> values);
/// share * whole, rounded down; the product as decimals have it, 29 of 0.29 * 100, which is 28.999... in binary.
double whole_share(double share, double whole);
/// 0, 1, ... count - 1: the coordinate of a dimension whose elements have no other name.
std::vector<double> numbers_below(base::Index count);

/// The axis `depth`: at which layers of a stack to look, each once, rising.
std::vector<double> depths(const data::Values& axes);
/// The deepest of them: how many layers the stack needs.
base::Index deepest_layer(const data::Values& axes);
/// Why a list is none of whole numbers, or empty: "a depth is a whole number of layers, but 1.5 is asked for".
std::string why_not_whole(const data::Values& axes, const std::string& axis, const std::string& of_what);
std::string why_not_depths(const data::Values& axes);
/// The same of the list itself; `name` is what one of its values is called.
std::string why_not_whole(const std::vector<double>& list, const std::string& name, const std::string& of_what);

/// Experiment::why_skip where a stack of layers under a causal mask is looked at, as deep as the axis `depth` says.
std::string why_no_causal_stack(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement);

/// Where a stack of layers under a causal mask is looked at, at these depths, over so many positions.
std::string why_no_causal_stack(const host::Scheme& scheme, const data::Placement& placement,
                                const std::vector<double>& depths, base::Index length);

/// The axis `length`: Experiment::train_length of an experiment at one length.
base::Index axis_length(const data::Values& axes);

}  // namespace poslab::experiments
