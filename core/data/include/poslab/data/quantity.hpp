// SPDX-License-Identifier: Apache-2.0
// A named, typed value with a range: what a parameter of a scheme or an axis of an experiment may be.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "poslab/base/refusal.hpp"
#include "poslab/data/value.hpp"

namespace poslab::data {

enum class Kind { real, integer, choice, flag, list, last = list };
const char* to_text(Kind kind);

/// What a parameter does, where a program must know it without its name: as plugin.h numbers and explains them.
enum class Role { none, base, factor, start, rotary_width, planes, pairing, last = pairing };
const char* to_text(Role role);

/// A closed range with optional open ends. Applies to numbers and to each element of a list.
struct Range {
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  bool above_lowest = false;      ///< `lowest` itself is not allowed
  bool below_highest = false;     ///< `highest` itself is not allowed
  bool contains(double x) const;  ///< false for nan
  std::string text() const;       ///< "greater than 1", "from 1 to 64", "at least 2", "any number"
};

/// A named, typed quantity with a range and a default: a scheme's parameter or an experiment's axis.
struct Quantity {
  std::string name = {};
  Kind kind = Kind::real;
  std::string unit = "1";
  std::string sentence = {};
  Value default_value = {};  ///< monostate: unset by default
  Range range = {};
  std::vector<std::string> choices = {};
  bool may_be_unset = false;
  std::vector<Value> usual = {};  ///< values that models in use have, the likeliest first
  Role role = Role::none;
};

/// Nothing if `value` fits `quantity` (an integer fits a real); otherwise a reason that names value, range and choices.
std::optional<base::Refusal> why_not(const Quantity& quantity, const Value& value);
/// `value` as the quantity's own type (an integer given for a real becomes a double). Precondition: it fits.
Value coerce(const Quantity& quantity, const Value& value);

}  // namespace poslab::data
