// SPDX-License-Identifier: Apache-2.0
// How the values of axes and parameters become values of a column.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "columns.hpp"
#include "poslab/base/value.hpp"

namespace poslab::results {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool is_number(const base::Quantity& quantity);
/// Lists as JSON, everything else as its shortest text.
std::string text_of(const base::Value& value);
double number_or_nan(const base::Value& value, const std::string& name);
/// units (of numbers) and long_name.
Attributes described(const base::Quantity& quantity);

template <class Item, class Of>
std::vector<Item> each(const Cells& cells, const Of& of) {
  std::vector<Item> items;
  items.reserve(cells.size());
  for (const base::Cell* cell : cells) items.push_back(of(*cell));
  return items;
}

}  // namespace poslab::results
