// SPDX-License-Identifier: Apache-2.0
// How the values of axes and parameters become values of a column.
#pragma once

#include <string>
#include <vector>

#include "poslab/data/value.hpp"
#include "write/columns.hpp"

namespace poslab::results {

bool is_number(const data::Quantity& quantity);
/// Lists as JSON, everything else as its shortest text.
std::string text_of(const data::Value& value);
double number_or_nan(const data::Value& value, const std::string& name);
/// units (of numbers) and long_name.
Attributes described(const data::Quantity& quantity);

template <class Item, class Of>
std::vector<Item> each(const Cells& cells, const Of& of) {
  std::vector<Item> items;
  items.reserve(cells.size());
  for (const data::Cell* cell : cells) items.push_back(of(*cell));
  return items;
}

}  // namespace poslab::results
