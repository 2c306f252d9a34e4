// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "poslab/data/outcome.hpp"
#include "write/groups.hpp"

namespace poslab::results {
namespace {

// netCDF-4 has no slash in a name.
std::string name_in_file(std::string name) {
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

// By axis and extent, so that no array has one dimension twice.
std::string dimension_of(std::size_t axis, std::int64_t extent) { return fmt::format("axis_{}_{}", axis, extent); }

void describe(Group& group, std::size_t row, const data::Cell& cell, const data::Training& training) {
  group.attribute("cell", static_cast<std::int64_t>(row));
  group.attribute("id", cell.id);
  group.attribute("experiment", cell.experiment);
  group.attribute("scheme", cell.variant.scheme);
  group.attribute("variant", cell.variant.label);
  group.attribute("parameters", cell.variant.parameters.to_json());
  group.attribute("axes", cell.axes.to_json());
  group.attribute("d_model", cell.axes.integer("d_model"));
  group.attribute("heads", cell.axes.integer("heads"));
  group.attribute("repeat", static_cast<std::int64_t>(cell.repeat));
  group.attribute("title", training.title);
  group.attribute("steps", training.steps);
}

void write_arrays(Group& group, const std::vector<data::KeptArray>& arrays) {
  for (const data::KeptArray& array : arrays)
    for (std::size_t axis = 0; axis < array.shape.size(); ++axis)
      if (const std::string name = dimension_of(axis, array.shape[axis]); !group.has(name))
        group.bare_dimension(name, static_cast<hsize_t>(array.shape[axis]));
  for (const data::KeptArray& array : arrays) {
    std::vector<std::string> dimensions;
    for (std::size_t axis = 0; axis < array.shape.size(); ++axis)
      dimensions.push_back(dimension_of(axis, array.shape[axis]));
    const h5::Values values = std::visit([](const auto& list) -> h5::Values { return list; }, array.values);
    group.variable(name_in_file(array.name), dimensions, values,
                   {{"units", "1"}, {"long_name", "the array " + array.name + " after training"}});
  }
}

}  // namespace

void write_trained(const h5::Handle& file, const std::vector<Row>& rows, const FirstPass& pass) {
  if (std::none_of(pass.has_kept.begin(), pass.has_kept.end(), [](bool has) { return has; })) return;
  Group all(file, "trained");
  all.attribute("comment", "what cells kept of the networks that they trained, for --weights of another run");
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!pass.has_kept[row]) continue;
    const data::Outcome outcome = rows[row].outcome();
    Group group(all.handle(), fmt::format("cell_{}", row));
    describe(group, row, *rows[row].cell, outcome.record.training());
    write_arrays(group, outcome.record.kept());
    group.close();
  }
  all.close();
}

}  // namespace poslab::results
