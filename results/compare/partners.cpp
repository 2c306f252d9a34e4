// SPDX-License-Identifier: Apache-2.0
#include "compare/partners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "compare/value_text.hpp"
#include "h5/attribute.hpp"
#include "h5/raw_bytes.hpp"
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
        if (name == other_name && name != "variant" && name != "repeat" && are_disjoint(values, other_values))
          reasons.push_back(fmt::format("{} of {} differs: {} in the first file, {} in the second", name, id,
                                        few(distinct(values)), few(distinct(other_values))));
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
  add_training(a, b, same_version, reasons);
  const std::string title_a = h5::text_attribute(a.file, "title"), title_b = h5::text_attribute(b.file, "title");
  if (title_a != title_b) reasons.push_back(fmt::format("titles differ: \"{}\", \"{}\"", title_a, title_b));
  if (reasons.empty() && joined == 0)
    reasons.emplace_back(
        "parameters, positions, files or weights that were given, or the versions of the schemes differ");
  return reasons;
}

}  // namespace poslab::results
