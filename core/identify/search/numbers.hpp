// SPDX-License-Identifier: Apache-2.0
// Numbers that models use: among variants that fit equally well, the one that is said in fewer digits is meant.
#pragma once

#include <vector>

#include "poslab/data/quantity.hpp"
#include "poslab/identify/evidence.hpp"

namespace poslab::identify {

/// Values of a parameter: its default, its usual numbers, and what its unit, its role and the extents of the dump
/// suggest. Empty for a list that nothing suggests.
std::vector<data::Value> values_in_use(const data::Quantity& parameter, const Evidence& evidence);

/// The factor of queries and keys beside their rotation that is unset by default: it follows from other parameters.
const data::Quantity* stretch_of(const data::SchemeInfo& scheme);

/// Such numbers near `x`, then `x` in one to seven digits: the fewer the earlier.
std::vector<double> round_numbers_near(const data::Quantity& parameter, const Evidence& evidence, double x);

/// How much there is to say of a variant.
struct Length {
  double words = 0;      ///< a parameter that is not the default, and the digits of a number that is not in use
  Index unusual = 0;     ///< numbers that are not in use
  Index any_digits = 0;  ///< those with so many digits that they are any numbers
};
Length length_of(const data::SchemeInfo& scheme, const data::Values& parameters, const Evidence& evidence);

}  // namespace poslab::identify
