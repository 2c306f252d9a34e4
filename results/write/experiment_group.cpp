// SPDX-License-Identifier: Apache-2.0
#include "h5/measure_attributes.hpp"
#include "write/columns.hpp"
#include "write/curves.hpp"
#include "write/groups.hpp"

namespace poslab::results {
namespace {

Cells cells_of(const std::vector<Row>& rows, const ExperimentTable& experiment) {
  Cells cells;
  for (const std::size_t row : experiment.rows) cells.push_back(rows[row].cell);
  return cells;
}

void write_columns(Group& group, const std::vector<Column>& columns, std::string& coordinates) {
  for (const Column& column : columns) {
    group.variable(column.name, {"cell"}, column.values, column.attributes);
    coordinates += (coordinates.empty() ? "" : " ") + column.name;
  }
}

// Names that no parameter's column may have.
std::vector<std::string> taken_names(const data::ExperimentInfo& info) {
  std::vector<std::string> names{"d_model", "heads"};
  for (const data::AxisInfo& axis : info.axes) {
    names.push_back(axis.name);
    if (axis.inner) names.push_back(axis.name + "_list");
  }
  for (const data::DimensionInfo& dimension : info.dimensions) names.push_back(dimension.name);
  for (const data::MeasureInfo& measure : info.measures) {
    names.push_back(measure.name);
    for (const std::string& dimension : measure.dimensions)
      for (const char* end : {"_count", "_used", "_row", "_column", "_frame", "_value"})
        names.push_back(dimension + end);
  }
  return names;
}

void write_states(Group& group, const Cells& cells, const FirstPass& pass, const ExperimentTable& experiment) {
  std::vector<std::string> parameters, messages;
  std::vector<std::uint8_t> status;
  for (const data::Cell* cell : cells) parameters.push_back(cell->variant.parameters.to_json());
  for (const std::size_t row : experiment.rows) {
    status.push_back(static_cast<std::uint8_t>(pass.status[row]));
    messages.push_back(pass.message[row]);
  }
  group.variable("parameters", {"cell"}, parameters, {{"long_name", "all parameters of the scheme, as JSON"}});
  group.variable("status", {"cell"}, status, flags_to(data::Status::skipped, "what became of the cell"));
  group.variable("message", {"cell"}, messages, {{"long_name", "why, or a note"}});
}

}  // namespace

void write_experiment(const h5::Handle& file, const Description& description, const std::vector<Row>& rows,
                      const FirstPass& pass, const ExperimentTable& experiment) {
  const data::ExperimentInfo& info = *experiment.info;
  refuse_reserved(info.id, "an experiment");
  const Cells cells = cells_of(rows, experiment);
  Group group(file, info.id);
  group.attribute("title", info.title);
  group.attribute("comment", info.question);
  group.attribute("version", info.version);
  if (const auto family = description.families.find(info.id); family != description.families.end())
    group.attribute("answers_in_study", static_cast<std::int64_t>(family->second));
  group.dimension("cell", std::vector<std::int64_t>(experiment.rows.begin(), experiment.rows.end()),
                  {{"units", "1"}, {"long_name", "row of the cell in the index at the root"}});
  std::string coordinates;
  write_columns(group, axis_columns(info, cells), coordinates);
  write_columns(group, parameter_columns(description.schemes, cells, taken_names(info)), coordinates);
  write_states(group, cells, pass, experiment);
  CurveWriter curves;
  for (const DimensionUse& use : experiment.dimensions) write_dimension(group, info, experiment, use, curves);
  for (const data::MeasureInfo& measure : info.measures) {
    refuse_reserved(measure.name, "a measure");
    const Attributes attributes = attributes_of(measure, coordinate_names(coordinates, measure, experiment));
    if (measure.dimensions.empty()) {
      group.variable(measure.name, {"cell"}, experiment.scalars.at(measure.name), attributes);
    } else {
      std::vector<std::string> dimensions{"cell"};
      dimensions.insert(dimensions.end(), measure.dimensions.begin(), measure.dimensions.end());
      curves.add(measure, group.open_variable(measure.name, dimensions, h5::Type::real, attributes));
    }
  }
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    if (pass.has_curves[experiment.rows[cell]])
      curves.write(rows[experiment.rows[cell]].outcome().record, experiment, cell);
  group.close();
}

}  // namespace poslab::results
