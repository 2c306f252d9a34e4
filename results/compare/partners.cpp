// SPDX-License-Identifier: Apache-2.0
#include "compare/partners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "compare/value_text.hpp"
#include "h5/attribute.hpp"
#include "h5/raw_bytes.hpp"
#include "poslab/base/json.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "read/stored_experiment.hpp"

namespace poslab::results {
namespace {

using Names = std::vector<std::string>;

Names distinct(const Names& values) {
  Names found;
  std::set<std::string> seen;
  for (const std::string& value : values)
    if (seen.insert(value).second) found.push_back(value);
  return found;
}

bool are_disjoint(const Names& a, const Names& b) {
  const std::set<std::string> in_a(a.begin(), a.end());
  return std::none_of(b.begin(), b.end(), [&](const std::string& value) { return in_a.count(value) > 0; });
}

// The values in a column of parameters of those cells whose scheme has it, and sets it.
Names given(const Names& values) {
  Names found;
  for (const std::string& value : values)
    if (!value.empty() && value != "nan") found.push_back(value);
  return found;
}

std::string few(const Names& values) { return values.empty() ? "none" : base::enumerate(values, 5); }

// The seed of the first cell: a study has one.
std::string seed_of(const StoredIndex& index) {
  if (index.ids.empty()) return "";
  const h5::Handle seeds = h5::open_dataset(index.file, "seed");
  const h5::Handle type(H5Dget_type(seeds), H5Tclose, "H5Dget_type");
  std::vector<unsigned char> bytes(H5Tget_size(type));
  read_raw(seeds, type, {0}, {1}, bytes);
  return number_text(type, bytes.data());
}

// Whether the cells that have no partner, in experiments whose version is the same, worked with drawn weights, and
// whether with trained ones.
struct Weights {
  bool untrained = false, trained = false;
};

Weights weights_without_partner(const StoredIndex& index, const StoredIndex& other, const Names& same_version) {
  Weights weights;
  for (std::size_t cell = 0; cell < index.ids.size(); ++cell) {
    if (other.cell_of.count(index.ids[cell]) > 0) continue;
    const std::string& experiment = index.experiments[cell];
    if (std::find(same_version.begin(), same_version.end(), experiment) == same_version.end()) continue;
    weights.untrained = weights.untrained || index.weights[cell] == data::WeightsState::untrained;
    weights.trained = weights.trained || index.weights[cell] == data::WeightsState::trained ||
                      index.weights[cell] == data::WeightsState::given;
  }
  return weights;
}

void add_training(const StoredIndex& a, const StoredIndex& b, const Names& same_version, Names& reasons) {
  const Weights in_a = weights_without_partner(a, b, same_version), in_b = weights_without_partner(b, a, same_version);
  const bool first_is_trained = in_a.trained && in_b.untrained;
  if (!first_is_trained && !(in_a.untrained && in_b.trained)) return;
  reasons.push_back(
      fmt::format("weights differ: {} in the first file, {} in the second; to see their answers side by "
                  "side: poslab report {} --beside {}",
                  first_is_trained ? "trained" : "untrained", first_is_trained ? "untrained" : "trained",
                  base::shell_word(a.path), base::shell_word(b.path)));
}

// The versions of the schemes of a file, by id.
std::map<std::string, std::string> scheme_versions(const StoredIndex& index) {
  std::map<std::string, std::string> versions;
  const base::Json declared = base::Json::parse(provenance_text(index.file, "plugins"), nullptr, false);
  if (!declared.is_array()) return versions;
  for (const base::Json& scheme : declared)
    if (scheme.is_object() && scheme.contains("id") && scheme["id"].is_string() && scheme.contains("version") &&
        scheme["version"].is_string())
      versions[scheme["id"].get<std::string>()] = scheme["version"].get<std::string>();
  return versions;
}

void add_scheme_versions(const StoredIndex& a, const StoredIndex& b, Names& reasons) {
  const auto of_a = scheme_versions(a), of_b = scheme_versions(b);
  for (const auto& [id, version] : of_a)
    if (const auto other = of_b.find(id); other != of_b.end() && other->second != version)
      reasons.push_back(fmt::format("{} has version {} in the first file and {} in the second: other numbers", id,
                                    version, other->second));
}

// What tells a cell from the others of its file, but for versions; of those without a partner.
std::map<std::string, std::vector<std::size_t>> cells_by_description(const StoredIndex& index,
                                                                     const StoredIndex& other) {
  std::map<std::string, std::vector<std::size_t>> cells;
  std::map<std::string, StoredExperiment> experiments;
  std::map<std::string, Names> parameters;
  const std::string seed = seed_of(index);
  for (std::size_t cell = 0; cell < index.ids.size(); ++cell) {
    if (other.cell_of.contains(index.ids[cell])) continue;
    const std::string& id = index.experiments[cell];
    if (!experiments.contains(id)) {
      experiments.emplace(id, StoredExperiment(index.file, id));
      const h5::Handle group = h5::open_group(index.file, id);
      if (h5::has_link(group, "parameters")) parameters[id] = texts(group, "parameters");
    }
    const auto row = static_cast<std::size_t>(index.row[cell]);
    const StoredExperiment& experiment = experiments.at(id);
    experiment.require_row(row);
    const Names& of_rows = parameters[id];
    cells[fmt::format("{}\n{}\n{}\n{}", seed, id, experiment.label(row), row < of_rows.size() ? of_rows[row] : "")]
        .push_back(cell);
  }
  return cells;
}

void add_column(const std::string& name, const std::string& experiment, const Names& here, const Names& there,
                Names& reasons) {
  if (here.empty() || there.empty() || !are_disjoint(here, there)) return;
  reasons.push_back(fmt::format("{} of {} differs: {} in the first file, {} in the second", name, experiment,
                                few(distinct(here)), few(distinct(there))));
}

// Returns the experiments that have one version in both.
Names add_versions_and_axes(const StoredIndex& a, const StoredIndex& b, const Names& common, Names& reasons) {
  Names same_version;
  for (const std::string& id : common) {
    const StoredExperiment in_a(a.file, id), in_b(b.file, id);
    if (in_a.version() == in_b.version())
      same_version.push_back(id);
    else
      reasons.push_back(fmt::format("{} has version {} in the first file and {} in the second: other numbers", id,
                                    in_a.version(), in_b.version()));
    for (const auto& [name, values] : in_a.columns())
      for (const auto& [other_name, other_values] : in_b.columns())
        if (name == other_name && name != "variant" && name != "repeat")
          add_column(name, id, given(values), given(other_values), reasons);
  }
  return same_version;
}

}  // namespace

std::vector<std::string> why_without_partner(const StoredIndex& a, const StoredIndex& b, std::size_t joined) {
  Names reasons;
  if (const std::string of_a = seed_of(a), of_b = seed_of(b); of_a != of_b)
    reasons.push_back(fmt::format("seeds differ: {}, {}", of_a, of_b));
  const auto compare = [&](const char* what, const Names& of_a, const Names& of_b) {
    if (are_disjoint(of_a, of_b))
      reasons.push_back(
          fmt::format("no {} in common: {} in the first file, {} in the second", what, few(of_a), few(of_b)));
  };
  const Names of_a = distinct(a.experiments), of_b = distinct(b.experiments);
  compare("experiment", of_a, of_b);
  compare("scheme", distinct(texts(a.file, "scheme")), distinct(texts(b.file, "scheme")));
  Names common;
  for (const std::string& id : of_a)
    if (std::find(of_b.begin(), of_b.end(), id) != of_b.end()) common.push_back(id);
  const Names same_version = add_versions_and_axes(a, b, common, reasons);
  add_scheme_versions(a, b, reasons);
  add_training(a, b, same_version, reasons);
  const std::string title_a = h5::text_attribute(a.file, "title"), title_b = h5::text_attribute(b.file, "title");
  if (title_a != title_b) reasons.push_back(fmt::format("titles differ: \"{}\", \"{}\"", title_a, title_b));
  if (reasons.empty() && joined == 0)
    reasons.emplace_back("parameters, positions, files or weights that were given differ");
  return reasons;
}

std::vector<std::pair<std::size_t, std::size_t>> pairs_across_versions(const StoredIndex& a, const StoredIndex& b) {
  const auto versions_of_a = scheme_versions(a), versions_of_b = scheme_versions(b);
  const Names schemes = texts(a.file, "scheme");
  std::map<std::string, bool> experiment_differs;  // of those that both have
  for (const std::string& id : distinct(a.experiments))
    if (h5::has_link(b.file, id))
      experiment_differs[id] = StoredExperiment(a.file, id).version() != StoredExperiment(b.file, id).version();
  const auto differs = [&](std::size_t cell) {
    std::istringstream parts(schemes[cell]);  // of layers with different schemes: "rope+none"
    for (std::string part; std::getline(parts, part, '+');) {
      const auto here = versions_of_a.find(part), there = versions_of_b.find(part);
      if (here != versions_of_a.end() && there != versions_of_b.end() && here->second != there->second) return true;
    }
    return experiment_differs.at(a.experiments[cell]);
  };
  const auto in_a = cells_by_description(a, b), in_b = cells_by_description(b, a);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const auto& [description, cells] : in_a)
    if (const auto others = in_b.find(description);
        others != in_b.end() && cells.size() == 1 && others->second.size() == 1 && differs(cells.front()))
      pairs.emplace_back(cells.front(), others->second.front());
  std::ranges::sort(pairs);
  return pairs;
}

}  // namespace poslab::results
