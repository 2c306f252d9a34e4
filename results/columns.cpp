// SPDX-License-Identifier: Apache-2.0
#include "columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "poslab/base/error.hpp"

namespace poslab::results {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool is_unset(const base::Value& value) { return std::holds_alternative<std::monostate>(value); }
bool is_number(const base::Quantity& quantity) { return quantity.kind == base::Kind::real || quantity.kind == base::Kind::integer; }
bool is_word(const base::AxisInfo& axis) {
  return axis.inner || axis.kind == base::Kind::choice || axis.kind == base::Kind::list || (axis.kind == base::Kind::flag && axis.may_be_unset);
}
bool is_whole(const base::Quantity& quantity) { return quantity.kind == base::Kind::integer && !quantity.may_be_unset; }

// Lists as JSON, everything else as its shortest text.
std::string text_of(const base::Value& value) {
  return std::holds_alternative<std::vector<double>>(value) ? base::to_json(value) : base::to_text(value);
}

double number_or_nan(const base::Value& value, const std::string& name) { return is_unset(value) ? nan : base::number(value, name); }

Attributes described(const base::Quantity& quantity) {
  Attributes attributes;
  if (is_number(quantity)) attributes.emplace_back("units", quantity.unit);
  attributes.emplace_back("long_name", quantity.sentence);
  return attributes;
}

template <class Item, class Of>
std::vector<Item> each(const Cells& cells, const Of& of) {
  std::vector<Item> items;
  items.reserve(cells.size());
  for (const base::Cell* cell : cells) items.push_back(of(*cell));
  return items;
}

Column axis_column(const base::AxisInfo& axis, const Cells& cells) {
  const auto value = [&](const base::Cell& cell) -> const base::Value& { return cell.axes.at(axis.name); };
  Column column{axis.inner ? axis.name + "_list" : axis.name, {}, described(axis)};
  if (is_word(axis)) {
    column.values = each<std::string>(cells, [&](const base::Cell& cell) { return text_of(value(cell)); });
  } else if (axis.kind == base::Kind::flag) {
    column.values = each<std::uint8_t>(cells, [&](const base::Cell& cell) { return static_cast<std::uint8_t>(cell.axes.flag(axis.name)); });
    column.attributes.emplace_back("dtype", "bool");  // xarray's way to say so
  } else if (is_whole(axis)) {
    column.values = each<std::int64_t>(cells, [&](const base::Cell& cell) { return cell.axes.integer(axis.name); });
  } else {
    column.values = each<double>(cells, [&](const base::Cell& cell) { return number_or_nan(value(cell), axis.name); });
    column.attributes.emplace_back("_FillValue", nan);
  }
  return column;
}

base::AxisInfo model_axis(const char* name, const char* sentence) {
  base::AxisInfo axis;
  axis.name = name;
  axis.kind = base::Kind::integer;
  axis.sentence = sentence;
  return axis;
}

std::vector<base::AxisInfo> all_axes(const base::ExperimentInfo& experiment) {
  std::vector<base::AxisInfo> axes;
  if (!experiment.axis("d_model")) axes.push_back(model_axis("d_model", "width of the model"));
  if (!experiment.axis("heads")) axes.push_back(model_axis("heads", "attention heads"));
  axes.insert(axes.end(), experiment.axes.begin(), experiment.axes.end());
  return axes;
}

void refuse_undeclared(const std::vector<base::AxisInfo>& axes, const base::Cell& cell) {
  for (const auto& [name, value] : cell.axes) {
    const auto same = [&name = name](const base::AxisInfo& axis) { return axis.name == name; };
    if (std::none_of(axes.begin(), axes.end(), same))
      throw base::Error(fmt::format("a cell of {} has the axis \"{}\", which the experiment does not declare", cell.experiment, name));
  }
}

// A parameter of one scheme that gets, or shares, a column.
struct Parameter {
  const base::SchemeInfo* scheme;
  const base::Quantity* quantity;
};

bool agree(const Parameter& a, const Parameter& b) {
  return is_number(*a.quantity) == is_number(*b.quantity) && a.quantity->unit == b.quantity->unit;
}

Column parameter_column(const std::string& name, const std::vector<Parameter>& owners, const Cells& cells) {
  const base::Quantity& first = *owners.front().quantity;
  const auto value = [&](const base::Cell& cell) -> const base::Value* {
    for (const Parameter& owner : owners)
      if (owner.scheme->id == cell.variant.scheme) return cell.variant.parameters.find(first.name);
    return nullptr;
  };
  Column column{name, {}, described(first)};
  if (is_number(first)) {
    column.values = each<double>(cells, [&](const base::Cell& cell) { return value(cell) ? number_or_nan(*value(cell), first.name) : nan; });
    column.attributes.emplace_back("_FillValue", nan);
  } else {
    column.values = each<std::string>(cells, [&](const base::Cell& cell) { return value(cell) ? text_of(*value(cell)) : ""; });
  }
  std::string sentences;
  for (const Parameter& owner : owners)
    sentences += fmt::format("{}{}: {}", sentences.empty() ? "" : "; ", owner.scheme->id, owner.quantity->sentence);
  column.attributes.emplace_back("comment", sentences);
  return column;
}

bool varied_by_any(const std::string& name, const std::string& scheme, const Cells& cells) {
  return std::any_of(cells.begin(), cells.end(), [&](const base::Cell* cell) {
    const auto& varied = cell->variant.varied;
    return cell->variant.scheme == scheme && std::find(varied.begin(), varied.end(), name) != varied.end();
  });
}

// The names that some scheme's cells set or vary, in order of schemes and of their declarations.
std::vector<std::string> varied_names(const std::vector<base::SchemeInfo>& schemes, const Cells& cells) {
  std::vector<std::string> names;
  for (const base::SchemeInfo& scheme : schemes)
    for (const base::Quantity& quantity : scheme.parameters)
      if (varied_by_any(quantity.name, scheme.id, cells) && std::find(names.begin(), names.end(), quantity.name) == names.end())
        names.push_back(quantity.name);
  return names;
}

std::vector<Parameter> owners_of(const std::string& name, const std::vector<base::SchemeInfo>& schemes, const Cells& cells) {
  std::vector<Parameter> owners;
  for (const base::SchemeInfo& scheme : schemes) {
    const auto uses = [&](const base::Cell* cell) { return cell->variant.scheme == scheme.id; };
    const base::Quantity* quantity = scheme.parameter(name);
    if (quantity && std::any_of(cells.begin(), cells.end(), uses)) owners.push_back({&scheme, quantity});
  }
  return owners;
}

}  // namespace

void refuse_reserved(const std::string& name, const std::string& what) {
  if (base::is_reserved(name)) throw base::Error(fmt::format("\"{}\" cannot be the name of {}: results files reserve it", name, what));
}

std::vector<Column> axis_columns(const base::ExperimentInfo& experiment, const Cells& cells) {
  const std::vector<base::AxisInfo> axes = all_axes(experiment);
  for (const base::Cell* cell : cells) refuse_undeclared(axes, *cell);
  std::vector<Column> columns;
  columns.push_back({"scheme", each<std::string>(cells, [](const base::Cell& cell) { return cell.variant.scheme; }),
                     {{"long_name", "positional encoding"}}});
  columns.push_back({"variant", each<std::string>(cells, [](const base::Cell& cell) { return cell.variant.label; }),
                     {{"long_name", "scheme with the parameters that the study sets or varies"}}});
  for (const base::AxisInfo& axis : axes) {
    refuse_reserved(axis.name, "an axis");
    columns.push_back(axis_column(axis, cells));
  }
  columns.push_back({"repeat", each<std::int64_t>(cells, [](const base::Cell& cell) { return cell.repeat; }),
                     {{"units", "1"}, {"long_name", "number of the repeat, from 0"}}});
  return columns;
}

std::vector<Column> parameter_columns(const std::vector<base::SchemeInfo>& schemes, const Cells& cells,
                                      const std::vector<std::string>& taken) {
  std::vector<Column> columns;
  for (const std::string& name : varied_names(schemes, cells)) {
    refuse_reserved(name, "a parameter");
    const std::vector<Parameter> owners = owners_of(name, schemes, cells);
    const bool clash = std::find(taken.begin(), taken.end(), name) != taken.end();
    const bool shared = !clash && std::all_of(owners.begin(), owners.end(), [&](const Parameter& owner) { return agree(owner, owners.front()); });
    if (shared) {
      columns.push_back(parameter_column(name, owners, cells));
      continue;
    }
    for (const Parameter& owner : owners) columns.push_back(parameter_column(owner.scheme->id + "_" + name, {owner}, cells));
  }
  return columns;
}

}  // namespace poslab::results
