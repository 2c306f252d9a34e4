// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "poslab/data/label.hpp"
#include "poslab/data/outcome.hpp"
#include "write/groups.hpp"

namespace poslab::results {
namespace {

bool has_several_placements(const std::vector<Row>& rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const Row& row) { return !(row.cell->placement == rows.front().cell->placement); });
}

void write_attributes(Group& root, const Description& description, const std::vector<Row>& rows) {
  root.attribute("Conventions", "CF-1.10");
  root.attribute("title", description.title);
  root.attribute("schema_version", schema_version);
  root.attribute("schema_minor", schema_minor);
  root.attribute("study_hash", description.study_hash);
  root.attribute("complete", static_cast<std::uint8_t>(description.complete));
  root.attribute("planned_cells", static_cast<std::int64_t>(description.planned_cells));
  if (!rows.empty() && !rows.front().cell->placement.is_plain() && !has_several_placements(rows))
    root.attribute("positions", rows.front().cell->placement.text());
}

}  // namespace

void write_index(const h5::Handle& file, const Description& description, const std::vector<Row>& rows,
                 const FirstPass& pass) {
  Group root(file);
  write_attributes(root, description, rows);
  const CountedColumns columns(root, run_cell, rows.size());
  const auto of_cell = [&](const char* name, const Attributes& attributes, const auto& of) {
    columns.add(name, attributes, [&](std::size_t row) { return of(*rows[row].cell); });
  };
  of_cell("id", {{"long_name", "identity of the cell: a hash of what it is"}},
          [](const data::Cell& cell) { return cell.id; });
  of_cell("experiment", {{"long_name", "experiment, and the group that holds the cell"}},
          [](const data::Cell& cell) { return cell.experiment; });
  of_cell("scheme", {{"long_name", "positional encoding"}}, [](const data::Cell& cell) { return cell.variant.scheme; });
  std::map<std::string, std::string> families;
  for (const data::SchemeInfo& scheme : description.schemes)
    families[scheme.id] = scheme.parts.empty() ? data::to_text(scheme.family) : "mixed";
  of_cell("family", {{"long_name", "family that the scheme says it belongs to"}},
          [&](const data::Cell& cell) { return families[cell.variant.scheme]; });
  of_cell("variant", {{"long_name", "scheme with the parameters that the study sets or varies"}},
          [](const data::Cell& cell) { return cell.variant.label; });
  of_cell("label_parameters",
          {{"long_name", "parameters that the variant's name tells, as JSON; empty: the name is the study's own"}},
          [](const data::Cell& cell) { return data::label_parameters(cell.variant); });
  if (has_several_placements(rows))
    of_cell("positions", {{"long_name", "where the tokens stand, as the study says it"}},
            [](const data::Cell& cell) { return cell.placement.text(); });
  columns.add("status", flags_to(data::Status::skipped, "what became of the cell"),
              [&](std::size_t row) { return pass.status[row]; });
  columns.add("message", {{"long_name", "why, or a note"}}, [&](std::size_t row) { return pass.message[row]; });
  columns.add("weights_state", flags_to(data::WeightsState::given, "the weights that the cell worked with"),
              [&](std::size_t row) { return pass.weights[row]; });
  of_cell("seed", {{"long_name", "seed of the study"}}, [](const data::Cell& cell) { return cell.seed; });
  of_cell("repeat", {{"units", "1"}, {"long_name", "number of the repeat, from 0"}},
          [](const data::Cell& cell) { return cell.repeat; });
  columns.add("row", {{"units", "1"}, {"long_name", "row of the cell in its experiment's group, from 0"}},
              [&](std::size_t row) { return static_cast<std::int64_t>(pass.row_in_experiment[row]); });
  root.close();
}

}  // namespace poslab::results
