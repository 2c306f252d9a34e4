// SPDX-License-Identifier: Apache-2.0
// One experiment in two files, measure by measure, each within its own tolerance.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "poslab/results/compare.hpp"
#include "read/stored_experiment.hpp"
#include "read/stored_index.hpp"

namespace poslab::results {

/// The same cell in both files: its rows in its experiment's groups.
struct Pair {
  std::size_t first, second;
};

class ExperimentComparison {
 public:
  /// Adds to `comparison`, first what only one of the files measures.
  ExperimentComparison(const StoredIndex& a, const StoredIndex& b, const std::string& id, Comparison& comparison);

  /// Adds a difference of a cell.
  void differ(const Pair& pair, std::string what, std::string measure = {});
  void require(const Pair& pair) const { a_.require_row(pair.first), b_.require_row(pair.second); }
  void compare(const std::vector<Pair>& pairs);

 private:
  void differ_in_declaration(std::string where, std::string what, std::string measure = {});
  void compare_curves(const data::MeasureInfo& measure, const StoredTolerance& tolerances, const h5::Handle& in_a,
                      const h5::Handle& in_b, const Pair& pair);
  void compare_values(const data::MeasureInfo& measure, const StoredTolerance& tolerances, const Pair& pair,
                      const Indices& indices, const std::vector<double>& a, const std::vector<double>& b);
  std::string coordinates_text(const data::MeasureInfo& measure, const Indices& indices, std::size_t flat) const;

  std::string id_;
  StoredExperiment a_, b_;
  Comparison& comparison_;
};

}  // namespace poslab::results
