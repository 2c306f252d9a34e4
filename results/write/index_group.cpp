// SPDX-License-Identifier: Apache-2.0
#include "write/index_group.hpp"

#include <algorithm>
#include <numeric>

#include "poslab/data/label.hpp"
#include "poslab/data/outcome.hpp"

namespace poslab::results {
namespace {

template <class Item, class Of>
std::vector<Item> each_row(const std::vector<Row>& rows, const Of& of) {
  std::vector<Item> items;
  items.reserve(rows.size());
  for (const Row& row : rows) items.push_back(of(*row.cell));
  return items;
}

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

template <class State>
std::vector<std::uint8_t> flags_of(const std::vector<State>& states) {
  std::vector<std::uint8_t> flags;
  flags.reserve(states.size());
  for (const State state : states) flags.push_back(static_cast<std::uint8_t>(state));
  return flags;
}

template <class State>
Attributes flag_attributes(const char* long_name, State last) {
  std::vector<std::uint8_t> values;
  std::string meanings;
  for (std::uint8_t value = 0; value <= static_cast<std::uint8_t>(last); ++value) {
    values.push_back(value);
    meanings += std::string(value ? " " : "") + data::to_text(static_cast<State>(value));
  }
  return {{"long_name", long_name}, {"flag_values", values}, {"flag_meanings", meanings}};
}

}  // namespace

std::vector<std::uint8_t> status_flags(const std::vector<data::Status>& statuses) { return flags_of(statuses); }

Attributes status_attributes() { return flag_attributes("what became of the cell", data::Status::skipped); }

void write_index(const h5::Handle& file, const Description& description, const std::vector<Row>& rows,
                 const FirstPass& pass) {
  Group root(file);
  write_attributes(root, description, rows);
  std::vector<std::int64_t> numbers(rows.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto column = [&](const char* name, const h5::Values& values, const Attributes& attributes) {
    root.variable(name, {"cell"}, values, attributes);
  };
  root.dimension("cell", numbers, {{"units", "1"}, {"long_name", "number of the cell, in plan order"}});
  column("id", each_row<std::string>(rows, [](const data::Cell& cell) { return cell.id; }),
         {{"long_name", "identity of the cell: a hash of what it is"}});
  column("experiment", each_row<std::string>(rows, [](const data::Cell& cell) { return cell.experiment; }),
         {{"long_name", "experiment, and the group that holds the cell"}});
  column("scheme", each_row<std::string>(rows, [](const data::Cell& cell) { return cell.variant.scheme; }),
         {{"long_name", "positional encoding"}});
  column("variant", each_row<std::string>(rows, [](const data::Cell& cell) { return cell.variant.label; }),
         {{"long_name", "scheme with the parameters that the study sets or varies"}});
  column("label_parameters",
         each_row<std::string>(rows, [](const data::Cell& cell) { return data::label_parameters(cell.variant); }),
         {{"long_name", "parameters that the variant's name tells, as JSON; empty: the name is the study's own"}});
  if (has_several_placements(rows))
    column("positions", each_row<std::string>(rows, [](const data::Cell& cell) { return cell.placement.text(); }),
           {{"long_name", "where the tokens stand, as the study says it"}});
  column("status", status_flags(pass.status), status_attributes());
  column("message", pass.message, {{"long_name", "why, or a note"}});
  column("weights_state", flags_of(pass.weights),
         flag_attributes("the weights that the cell worked with", data::WeightsState::given));
  column("seed", each_row<std::uint64_t>(rows, [](const data::Cell& cell) { return cell.seed; }),
         {{"long_name", "seed of the study"}});
  column("repeat", each_row<std::int64_t>(rows, [](const data::Cell& cell) { return cell.repeat; }),
         {{"units", "1"}, {"long_name", "number of the repeat, from 0"}});
  column("row", std::vector<std::int64_t>(pass.row_in_experiment.begin(), pass.row_in_experiment.end()),
         {{"units", "1"}, {"long_name", "row of the cell in its experiment's group, from 0"}});
  root.close();
}

}  // namespace poslab::results
