// SPDX-License-Identifier: Apache-2.0
// Numbers that are in no list: those that a variant must have to make a dump.
#pragma once

#include <functional>
#include <vector>

#include "compare/compare.hpp"
#include "search/variants.hpp"

namespace poslab::identify {

struct FreeFit {
  data::Values values;
  bool free_list = false;  ///< one number a plane was free: any frequencies fit
};

/// From `start`, one free number first, then all: each fit that comes near everywhere, its numbers as round as the dump
/// lets them be and then as they were found, until `suits` takes one. `tried` counts candidates.
void fit_any_numbers(const Maker& maker, const Evidence& evidence, const std::vector<Standard>& standards,
                     const Variant& variant, const data::Values& start, std::size_t& tried,
                     const std::function<bool(const FreeFit&)>& suits);

}  // namespace poslab::identify
