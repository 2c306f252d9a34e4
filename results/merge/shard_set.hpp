// SPDX-License-Identifier: Apache-2.0
// The files of one run's shards, and for each cell the record that a merge takes.
#pragma once

#include <compare>
#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "merge/checks.hpp"

namespace poslab::results {

class ShardSet {
 public:
  /// Opens and checks everything. Throws NotMergeable.
  ShardSet(const std::vector<std::string>& names, const MergeOptions& options);

  const ShardFiles& files() const { return files_; }  ///< by shard
  std::vector<data::Cell> take_cells();               ///< in plan order; leaves the files without
  data::Outcome outcome(std::size_t cell);            ///< of the cells in that order

 private:
  // Where a cell's record is: `at` counts the records of a file.
  struct Location {
    std::size_t plan_index, file, at;
    auto operator<=>(const Location&) const = default;
  };
  using Locations = std::vector<Location>;

  Locations all_locations() const;
  void choose(MergeProblems& problems, bool partial);
  bool finished(const Location& location) { return files_[location.file]->finished(location.at); }
  bool agree(const Location& a, const Location& b);
  std::vector<std::string> labels(const Locations& locations) const;
  void reopen(std::size_t file);

  ShardFiles files_;
  Locations chosen_;
  std::deque<std::size_t> open_;  // the first is closed first
  std::size_t max_open_;
};

}  // namespace poslab::results
