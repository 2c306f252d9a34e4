// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "write/columns.hpp"

namespace poslab::results {
namespace {

// A parameter of one scheme that gets, or shares, a column.
struct Parameter {
  const data::SchemeInfo* scheme;
  const data::Quantity* quantity;
};

bool agree(const Parameter& a, const Parameter& b) {
  return is_number(*a.quantity) == is_number(*b.quantity) && a.quantity->unit == b.quantity->unit;
}

Column parameter_column(const std::string& name, const std::vector<Parameter>& owners, const Cells& cells) {
  const data::Quantity& first = *owners.front().quantity;
  const auto value = [&](const data::Cell& cell) -> const data::Value* {
    for (const Parameter& owner : owners)
      if (owner.scheme->id == cell.variant.scheme) return cell.variant.parameters.find(first.name);
    return nullptr;
  };
  Column column{name, {}, described(first)};
  if (is_number(first)) {
    column.values = each<double>(
        cells, [&](const data::Cell& cell) { return value(cell) ? number_or_nan(*value(cell), first.name) : nan; });
    column.attributes.emplace_back("_FillValue", nan);
  } else {
    column.values =
        each<std::string>(cells, [&](const data::Cell& cell) { return value(cell) ? text_of(*value(cell)) : ""; });
  }
  std::string sentences;
  for (const Parameter& owner : owners)
    sentences += fmt::format("{}{}: {}", sentences.empty() ? "" : "; ", owner.scheme->id, owner.quantity->sentence);
  column.attributes.emplace_back("comment", sentences);
  return column;
}

bool varied_by_any(const std::string& name, const std::string& scheme, const Cells& cells) {
  return std::any_of(cells.begin(), cells.end(), [&](const data::Cell* cell) {
    const auto& varied = cell->variant.varied;
    return cell->variant.scheme == scheme && std::find(varied.begin(), varied.end(), name) != varied.end();
  });
}

// The names that some scheme's cells set or vary, in order of schemes and of their declarations.
std::vector<std::string> varied_names(const std::vector<data::SchemeInfo>& schemes, const Cells& cells) {
  std::vector<std::string> names;
  for (const data::SchemeInfo& scheme : schemes)
    for (const data::Quantity& quantity : scheme.parameters)
      if (varied_by_any(quantity.name, scheme.id, cells) &&
          std::find(names.begin(), names.end(), quantity.name) == names.end())
        names.push_back(quantity.name);
  return names;
}

std::vector<Parameter> owners_of(const std::string& name, const std::vector<data::SchemeInfo>& schemes,
                                 const Cells& cells) {
  std::vector<Parameter> owners;
  for (const data::SchemeInfo& scheme : schemes) {
    const auto uses = [&](const data::Cell* cell) { return cell->variant.scheme == scheme.id; };
    const data::Quantity* quantity = scheme.parameter(name);
    if (quantity && std::any_of(cells.begin(), cells.end(), uses)) owners.push_back({&scheme, quantity});
  }
  return owners;
}

}  // namespace

std::vector<Column> parameter_columns(const std::vector<data::SchemeInfo>& schemes, const Cells& cells,
                                      const std::vector<std::string>& taken) {
  std::vector<Column> columns;
  for (const std::string& name : varied_names(schemes, cells)) {
    refuse_reserved(name, "a parameter");
    const std::vector<Parameter> owners = owners_of(name, schemes, cells);
    const bool clash = std::find(taken.begin(), taken.end(), name) != taken.end();
    const bool shared = !clash && std::all_of(owners.begin(), owners.end(),
                                              [&](const Parameter& owner) { return agree(owner, owners.front()); });
    if (shared) {
      columns.push_back(parameter_column(name, owners, cells));
      continue;
    }
    for (const Parameter& owner : owners)
      columns.push_back(parameter_column(owner.scheme->id + "_" + name, {owner}, cells));
  }
  return columns;
}

}  // namespace poslab::results
