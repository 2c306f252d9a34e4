// SPDX-License-Identifier: Apache-2.0
// One dimension of an experiment's curves, over all of its cells.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace poslab::results {

/// The coordinates that each cell has, and the union of all.
class DimensionUse {
 public:
  explicit DimensionUse(std::string name) : name_(std::move(name)) {}

  /// The coordinates of the next cell; null if it has none.
  void add(const std::vector<double>* coordinates);
  /// Builds the union. To be called after the last `add`.
  void finish();

  const std::string& name() const { return name_; }
  const std::vector<double>& coordinates() const { return union_; }  ///< sorted, each once
  /// The indices of a cell's coordinates in the union; empty if it has none. `cell`: its row in the experiment.
  const std::vector<std::size_t>& indices(std::size_t cell) const;
  /// Whether every cell has a prefix of the union.
  bool prefixes_only() const;

 private:
  std::string name_;
  std::map<std::vector<double>, std::size_t> lists_;  // the distinct lists, numbered: few, while cells are many
  std::vector<std::ptrdiff_t> list_of_cell_;          // -1: none
  std::vector<std::vector<std::size_t>> indices_of_list_;
  std::vector<double> union_;
};

}  // namespace poslab::results
