// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "column_values.hpp"
#include "columns.hpp"
#include "poslab/base/error.hpp"

namespace poslab::results {
namespace {

bool is_word(const base::AxisInfo& axis) {
  return axis.inner || axis.kind == base::Kind::choice || axis.kind == base::Kind::list ||
         (axis.kind == base::Kind::flag && axis.may_be_unset);
}
bool is_whole(const base::Quantity& quantity) { return quantity.kind == base::Kind::integer && !quantity.may_be_unset; }

Column axis_column(const base::AxisInfo& axis, const Cells& cells) {
  const auto value = [&](const base::Cell& cell) -> const base::Value& { return cell.axes.at(axis.name); };
  Column column{axis.inner ? axis.name + "_list" : axis.name, {}, described(axis)};
  if (is_word(axis)) {
    column.values = each<std::string>(cells, [&](const base::Cell& cell) { return text_of(value(cell)); });
  } else if (axis.kind == base::Kind::flag) {
    column.values = each<std::uint8_t>(
        cells, [&](const base::Cell& cell) { return static_cast<std::uint8_t>(cell.axes.flag(axis.name)); });
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
      throw base::Error(fmt::format("a cell of {} has the axis \"{}\", which the experiment does not declare",
                                    cell.experiment, name));
  }
}

}  // namespace

std::vector<Column> axis_columns(const base::ExperimentInfo& experiment, const Cells& cells) {
  const std::vector<base::AxisInfo> axes = all_axes(experiment);
  for (const base::Cell* cell : cells) refuse_undeclared(axes, *cell);
  std::vector<Column> columns;
  columns.push_back({"scheme",
                     each<std::string>(cells, [](const base::Cell& cell) { return cell.variant.scheme; }),
                     {{"long_name", "positional encoding"}}});
  columns.push_back({"variant",
                     each<std::string>(cells, [](const base::Cell& cell) { return cell.variant.label; }),
                     {{"long_name", "scheme with the parameters that the study sets or varies"}}});
  for (const base::AxisInfo& axis : axes) {
    refuse_reserved(axis.name, "an axis");
    columns.push_back(axis_column(axis, cells));
  }
  columns.push_back({"repeat",
                     each<std::int64_t>(cells, [](const base::Cell& cell) { return cell.repeat; }),
                     {{"units", "1"}, {"long_name", "number of the repeat, from 0"}}});
  return columns;
}

}  // namespace poslab::results
