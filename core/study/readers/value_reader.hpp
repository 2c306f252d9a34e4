// SPDX-License-Identifier: Apache-2.0
// TOML values -> data values, each checked against its quantity.
#pragma once

#include <optional>
#include <vector>

#include "poslab/base/refusal.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/data/value.hpp"
#include "readers/table_reader.hpp"

namespace poslab::study {

inline constexpr double max_values = 1e6;  ///< of one axis
/// 2^53: doubles hold every integer up to here.
inline constexpr double largest_exact_integer = 9007199254740992.0;

/// One value, in the quantity's own type; nullopt after its mistake was reported.
std::optional<data::Value> read_value(const toml::node& node, const data::Quantity& quantity, Report& report);

/// Whether an axis may have the same value twice: the lists of a zip may.
enum class Twice { refused, allowed };

/// The values of an axis from any of its forms: a list, one value, or a table such as { pow2 = [7, 12] }.
/// An inner axis becomes one value: its whole list, in rising order.
std::optional<std::vector<data::Value>> read_values(const toml::node& node, const data::AxisInfo& axis, Twice twice,
                                                    Report& report);

/// Checks values that have no location of their own (values by rule, the command line) as read_values does; the first
/// mistake. On success `values` are in the axis's own type, an inner axis's as one list.
std::optional<base::Refusal> settle_values(std::vector<data::Value>& values, const data::AxisInfo& axis, Twice twice);

/// Why `value` cannot be a value of `quantity`. Stricter than data::why_not: numbers are finite.
std::optional<base::Refusal> why_not_value(const data::Quantity& quantity, const data::Value& value);

/// `value` in the quantity's own type, with zero positive. Precondition: it fits.
data::Value settle(const data::Quantity& quantity, const data::Value& value);

/// What one entry of an axis must be: the axis itself, or for an inner one a number.
data::Quantity element_of(const data::AxisInfo& axis);

/// Whether two values are the same; integers and reals compare as numbers.
bool same_value(const data::Value& a, const data::Value& b);

/// The values of a table of one of the forms { range = [lo, hi, step] }, { linspace = [lo, hi, n] },
/// { logspace = [lo, hi, n] }, { pow2 = [a, b] }; nullopt after its mistake was reported.
/// `integers`: what linspace and logspace give is rounded to whole numbers.
std::optional<std::vector<data::Value>> read_form(const toml::table& form, const std::string& axis, bool integers,
                                                  Report& report);

}  // namespace poslab::study
