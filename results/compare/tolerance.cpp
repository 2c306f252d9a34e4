// SPDX-License-Identifier: Apache-2.0
// Joins two files on the identity of their cells and compares each measure within its own tolerance.
#include <fmt/format.h>

#include <map>

#include "compare/experiment_comparison.hpp"
#include "compare/partners.hpp"
#include "poslab/data/outcome.hpp"

namespace poslab::results {
namespace {

std::string status_text(double status) { return data::to_text(static_cast<data::Status>(status)); }

using Joined = std::map<std::string, std::vector<std::pair<std::size_t, std::size_t>>>;  // experiment -> cells of both

void compare_cells(const StoredIndex& a, const StoredIndex& b, const Joined& joined, Comparison& comparison) {
  for (const auto& [experiment, cells] : joined) {
    ExperimentComparison of_experiment(a, b, experiment, comparison);
    std::vector<Pair> pairs;
    for (const auto& [in_a, in_b] : cells) {
      const Pair pair{static_cast<std::size_t>(a.row[in_a]), static_cast<std::size_t>(b.row[in_b])};
      of_experiment.require(pair);
      if (a.status[in_a] != b.status[in_b]) {
        of_experiment.differ(pair, fmt::format("is {} in the first file and {} in the second",
                                               status_text(a.status[in_a]), status_text(b.status[in_b])));
      } else if (static_cast<data::Status>(a.status[in_a]) == data::Status::ok) {
        pairs.push_back(pair);
      }
    }
    of_experiment.compare(pairs);
  }
}

// The numbers of two versions, side by side.
void compare_versions(const StoredIndex& a, const StoredIndex& b, Comparison& comparison) {
  Joined joined;
  for (const auto& [in_a, in_b] : pairs_across_versions(a, b)) joined[a.experiments[in_a]].emplace_back(in_a, in_b);
  if (joined.empty()) return;
  Comparison& between = comparison.between_versions.emplace_back();
  for (const auto& [experiment, cells] : joined) between.compared_cells += cells.size();
  compare_cells(a, b, joined, between);
}

}  // namespace

Comparison compare_within_tolerance(const std::string& first, const std::string& second) try {
  const h5::Silence silence;
  const StoredIndex a(first), b(second);
  Comparison comparison;
  Joined joined;
  for (std::size_t cell = 0; cell < a.ids.size(); ++cell) {
    const auto other = b.cell_of.find(a.ids[cell]);
    if (other == b.cell_of.end()) {
      ++comparison.only_in_first;
    } else {
      joined[a.experiments[cell]].emplace_back(cell, other->second);
    }
  }
  comparison.compared_cells = a.ids.size() - comparison.only_in_first;
  comparison.only_in_second = b.ids.size() - comparison.compared_cells;
  if (comparison.only_in_first > 0 && comparison.only_in_second > 0) {
    comparison.reasons = why_without_partner(a, b, comparison.compared_cells);
    compare_versions(a, b, comparison);
  }
  compare_cells(a, b, joined, comparison);
  return comparison;
} catch (const h5::Error& error) {
  throw unreadable_pair(first, second, error);
}

}  // namespace poslab::results
