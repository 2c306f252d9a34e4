// SPDX-License-Identifier: Apache-2.0
// The shards of one run, and for each cell the journal whose record a merge takes.
#pragma once

#include <compare>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "poslab/journal/shard_journal.hpp"
#include "poslab/run/merge_shards.hpp"

namespace poslab::run {

struct Shard {
  std::string name;  ///< as it was given
  journal::ShardJournal journal;
};
using Shards = std::vector<std::unique_ptr<Shard>>;
using MergeProblems = std::vector<MergeProblem>;

/// The journal that a word of a command line names: itself, or the one beside it.
std::filesystem::path journal_named(const std::string& name);

/// "uniqueness of rope, length 8, repeat 2"
std::string label(const data::Cell& cell);

class ShardSet {
 public:
  /// Opens and checks everything. Throws NotMergeable.
  ShardSet(const std::vector<std::string>& names, const MergeOptions& options);

  const Shards& shards() const { return shards_; }                 ///< by index; not empty
  const std::vector<data::Cell>& cells() const { return cells_; }  ///< that have an outcome, in plan order
  data::Outcome outcome(std::size_t cell);                         ///< of `cells()[cell]`

 private:
  // Where a cell's record is: `at` counts the cells of a shard.
  struct Location {
    std::size_t plan_index, shard, at;
    auto operator<=>(const Location&) const = default;
  };
  using Locations = std::vector<Location>;

  Locations all_locations() const;
  void choose(MergeProblems& problems, bool partial);
  bool is_done(const Location& location) const { return shards_[location.shard]->journal.is_done(location.at); }
  bool agree(const Location& a, const Location& b);
  data::Outcome outcome(const Location& location);
  std::vector<std::string> labels(const Locations& locations) const;

  Shards shards_;
  Locations chosen_;
  std::vector<data::Cell> cells_;
  std::deque<std::size_t> open_;  // the first is closed first
  std::size_t max_open_;
};

/// Removes what is of another run than most: another study, number of shards, version, plan, plugin.
void keep_one_run(Shards& shards, bool mixed_plugins, MergeProblems& problems);

// Problems as facts and as a sentence; `cells` are labels.
MergeProblem contradiction(const Shard& first, const Shard& second, std::vector<std::string> cells);
MergeProblem unfinished(const Shard& shard, std::vector<std::string> cells);
MergeProblem damaged_records(const Shard& shard, std::vector<std::string> cells);
MergeProblem missing_shards(const Shard& any, std::vector<int> shards);
/// Missing shards that exist and were not given.
MergeProblem shards_not_given(const std::vector<std::string>& names);
MergeProblem missing_cells(std::size_t count, std::size_t whole);

}  // namespace poslab::run
