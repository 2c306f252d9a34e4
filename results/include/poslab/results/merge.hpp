// SPDX-License-Identifier: Apache-2.0
// Merges the shards of a run: checks them against each other, then reads them cell by cell.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/shard.hpp"
#include "poslab/results/writer.hpp"

namespace poslab::results {

/// A shard that is to be run, and how another one of the same run was: its study and its command line, as provenance
/// keeps them, which may be anybody's words.
struct ShardToRun {
  data::Shard shard;
  std::string study, command_line;
};

/// One reason why files cannot be merged.
struct MergeProblem {
  enum class Kind {
    unreadable,     ///< no file, no HDF5, damaged
    no_shard,       ///< a results file, but of a whole run
    other_study,    ///< of another study than most of the files
    other_count,    ///< of another number of shards
    other_version,  ///< by another poslab, or another version of an experiment or scheme
    other_plan,     ///< with other cells, though of the same study
    other_plugin,   ///< by another file of a scheme's plugin
    missing,        ///< a shard that no file holds
    unfinished,     ///< a cell that did not run
    contradiction,  ///< two files that disagree about a cell
    damaged         ///< a record whose checksum is wrong
  };
  Kind kind;
  std::string file;                       ///< empty where it is about no file
  std::string text;                       ///< what is wrong
  std::string other_file = {};            ///< that `file` disagrees with
  std::vector<int> shards = {};           ///< that are missing
  std::vector<std::string> cells = {};    ///< whose records are unfinished, contradictory or damaged
  std::optional<ShardToRun> to_run = {};  ///< which would put it right
};

/// "a.h5: is not finished: ..."
std::string to_text(const MergeProblem& problem);

/// `what()` is one line a problem, all of them at once.
struct NotMergeable : base::Error {
  explicit NotMergeable(std::vector<MergeProblem> problems);
  std::vector<MergeProblem> problems;
};

struct MergeOptions {
  bool mixed_plugins = false;  ///< take shards that were made with different files of one plugin
  bool partial = false;        ///< take what is there, though shards or cells are missing
};

class ShardSet;

class Merge {
 public:
  /// Opens and checks everything, one outcome in memory at a time. Throws NotMergeable.
  Merge(const std::vector<std::string>& files, const MergeOptions& options);
  ~Merge();
  Merge(const Merge&) = delete;

  Description description;        ///< of the whole; without provenance
  std::vector<data::Cell> cells;  ///< those that are there, in plan order
  std::vector<data::Expectation> expectations;

  /// The outcome of `cells[cell]`, read from its file.
  data::Outcome outcome(std::size_t cell) const;

  struct Source {
    std::string file;
    data::Shard shard;
    std::map<std::string, std::string> provenance;
  };
  std::vector<Source> sources() const;  ///< the files, by shard

 private:
  std::unique_ptr<ShardSet> shards_;
};

}  // namespace poslab::results
