// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "write/columns.hpp"

namespace poslab::results {
namespace {

bool is_word(const data::AxisInfo& axis) {
  return axis.inner || axis.kind == data::Kind::choice || axis.kind == data::Kind::list ||
         (axis.kind == data::Kind::flag && axis.may_be_unset);
}
bool is_whole(const data::Quantity& quantity) { return quantity.kind == data::Kind::integer && !quantity.may_be_unset; }

Column axis_column(const data::AxisInfo& axis, const Cells& cells) {
  const auto value = [&](const data::Cell& cell) -> const data::Value& { return cell.axes.at(axis.name); };
  Column column{axis.inner ? axis.name + "_list" : axis.name, {}, described(axis)};
  if (is_word(axis)) {
    column.values = each<std::string>(cells, [&](const data::Cell& cell) { return text_of(value(cell)); });
  } else if (axis.kind == data::Kind::flag) {
    column.values = each<std::uint8_t>(
        cells, [&](const data::Cell& cell) { return static_cast<std::uint8_t>(cell.axes.flag(axis.name)); });
    column.attributes.emplace_back("dtype", "bool");  // xarray's way to say so
  } else if (is_whole(axis)) {
    column.values = each<std::int64_t>(cells, [&](const data::Cell& cell) { return cell.axes.integer(axis.name); });
  } else {
    column.values = each<double>(cells, [&](const data::Cell& cell) { return number_or_nan(value(cell), axis.name); });
    column.attributes.emplace_back("_FillValue", nan);
  }
  return column;
}

data::AxisInfo model_axis(const char* name, const char* sentence) {
  data::AxisInfo axis;
  axis.name = name;
  axis.kind = data::Kind::integer;
  axis.sentence = sentence;
  return axis;
}

std::vector<data::AxisInfo> all_axes(const data::ExperimentInfo& experiment) {
  std::vector<data::AxisInfo> axes;
  if (!experiment.axis("d_model")) axes.push_back(model_axis("d_model", "width of the model"));
  if (!experiment.axis("heads")) axes.push_back(model_axis("heads", "attention heads"));
  axes.insert(axes.end(), experiment.axes.begin(), experiment.axes.end());
  return axes;
}

void refuse_undeclared(const std::vector<data::AxisInfo>& axes, const data::Cell& cell) {
  for (const auto& [name, value] : cell.axes) {
    const auto same = [&name = name](const data::AxisInfo& axis) { return axis.name == name; };
    if (std::none_of(axes.begin(), axes.end(), same))
      throw base::Error(fmt::format("a cell of {} has the axis \"{}\", which the experiment does not declare",
                                    cell.experiment, name));
  }
}

}  // namespace

bool is_number(const data::Quantity& quantity) {
  return quantity.kind == data::Kind::real || quantity.kind == data::Kind::integer;
}
std::string text_of(const data::Value& value) {
  return std::holds_alternative<std::vector<double>>(value) ? data::to_json(value) : data::to_text(value);
}

double number_or_nan(const data::Value& value, const std::string& name) {
  return std::holds_alternative<std::monostate>(value) ? nan : data::number(value, name);
}

Attributes described(const data::Quantity& quantity) {
  Attributes attributes;
  if (is_number(quantity)) attributes.emplace_back("units", quantity.unit);
  attributes.emplace_back("long_name", quantity.sentence);
  return attributes;
}

void refuse_reserved(const std::string& name, const std::string& what) {
  if (data::is_reserved(name))
    throw base::Error(fmt::format("\"{}\" cannot be the name of {}: results files reserve it", name, what));
}

std::vector<Column> axis_columns(const data::ExperimentInfo& experiment, const Cells& cells) {
  const std::vector<data::AxisInfo> axes = all_axes(experiment);
  for (const data::Cell* cell : cells) refuse_undeclared(axes, *cell);
  std::vector<Column> columns;
  columns.push_back({"scheme",
                     each<std::string>(cells, [](const data::Cell& cell) { return cell.variant.scheme; }),
                     {{"long_name", "positional encoding"}}});
  columns.push_back({"variant",
                     each<std::string>(cells, [](const data::Cell& cell) { return cell.variant.label; }),
                     {{"long_name", "scheme with the parameters that the study sets or varies"}}});
  for (const data::AxisInfo& axis : axes) {
    refuse_reserved(axis.name, "an axis");
    columns.push_back(axis_column(axis, cells));
  }
  columns.push_back({"repeat",
                     each<std::int64_t>(cells, [](const data::Cell& cell) { return cell.repeat; }),
                     {{"units", "1"}, {"long_name", "number of the repeat, from 0"}}});
  return columns;
}

}  // namespace poslab::results
