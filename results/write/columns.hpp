// SPDX-License-Identifier: Apache-2.0
// What a cell is, as columns of its experiment's group: scheme, variant, axes, repeat, and the parameters that vary.
#pragma once

#include <string>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/value.hpp"
#include "write/group.hpp"

namespace poslab::results {

/// A variable over `cell`.
struct Column {
  std::string name;
  h5::Values values;
  Attributes attributes;
};

using Cells = std::vector<const data::Cell*>;

/// scheme, variant, d_model, heads, the declared axes (lists of inner ones as `<axis>_list`), repeat.
std::vector<Column> axis_columns(const data::ExperimentInfo& experiment, const Cells& cells);

/// The parameters that the study sets or varies. Schemes share a column where name, unit and kind agree; otherwise, and
/// where the name is one of `taken`, the column is called `<scheme>_<parameter>`.
std::vector<Column> parameter_columns(const std::vector<data::SchemeInfo>& schemes, const Cells& cells,
                                      const std::vector<std::string>& taken);

// How the values of axes and parameters become values of a column:

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

/// Throws base::Error if a results file reserves `name`; `what` says what it would have been the name of.
void refuse_reserved(const std::string& name, const std::string& what);

}  // namespace poslab::results
