// SPDX-License-Identifier: Apache-2.0
// What experiments read off their axes alike: lists, which are dimensions of their curves, depths and the length.
#pragma once

#include <string>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/base/refusal.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::experiments {

struct Setting;  // experiment.hpp

/// The values of a list, each once, rising.
std::vector<double> rising(std::vector<double> values);
/// share * whole, rounded down; the product as decimals have it, 29 of 0.29 * 100, which is 28.999... in binary.
double whole_share(double share, double whole);
/// 0, 1, ... count - 1: the coordinate of a dimension whose elements have no other name.
std::vector<double> numbers_below(base::Index count);

/// Why a list is none of whole numbers: "a depth is a whole number of layers, but 1.5 is asked for"; `name`
/// is what one of its values is called.
std::optional<base::Refusal> why_not_whole(const std::vector<double>& list, const std::string& name,
                                           const std::string& of_what);

/// Why a scheme is skipped where all its numbers have to be finite; `consequence`: "its logits have no mean".
std::optional<base::Refusal> why_not_finite(const host::Scheme& scheme, const std::string& consequence);

/// Why a scheme is skipped where a stack of layers under a causal mask is looked at, at these depths, over so many
/// positions.
std::optional<base::Refusal> why_no_causal_stack(const Setting& of, const std::vector<double>& depths,
                                                 base::Index length);

}  // namespace poslab::experiments
