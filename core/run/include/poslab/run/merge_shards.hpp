// SPDX-License-Identifier: Apache-2.0
// The shards of a run become the results file of one run.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/data/answer_table.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/kept_array.hpp"
#include "poslab/data/plugin_check.hpp"
#include "poslab/data/shard.hpp"
#include "poslab/run/outcome_summary.hpp"

namespace poslab::run {

/// A shard that is to be run, and how another one of the same run was: its study and its command line, as provenance
/// keeps them, which may be anybody's words.
struct ShardToRun {
  data::Shard shard;
  std::string study, command_line;
};

/// One reason why shards cannot be merged.
struct MergeProblem {
  enum class Kind {
    unreadable,     ///< no file, no journal, damaged
    no_shard,       ///< of a whole run
    earlier,        ///< of a poslab whose journals did not say what a shard is a part of
    other_study,    ///< of another study than most of the shards
    other_count,    ///< of another number of shards
    other_version,  ///< by another poslab, or another version of an experiment or scheme
    other_plan,     ///< with other cells, though of the same study
    other_plugin,   ///< by another file of a scheme's plugin
    missing,        ///< a shard that no journal holds
    unfinished,     ///< a cell that did not run
    contradiction,  ///< two journals that disagree about a cell
    damaged         ///< a record whose checksum is wrong
  };
  Kind kind;
  std::string file;                       ///< as it was given; empty where it is about none
  std::string text;                       ///< what is wrong
  std::string other_file = {};            ///< that `file` disagrees with
  std::vector<int> shards = {};           ///< that are missing
  std::vector<std::string> cells = {};    ///< whose records are unfinished, contradictory or damaged
  std::optional<ShardToRun> to_run = {};  ///< which would put it right
};

/// "a.1-of-2.h5: is not finished: ..."
std::string to_text(const MergeProblem& problem);

/// `what()` is one line a problem, all of them at once.
struct NotMergeable : base::Error {
  explicit NotMergeable(std::vector<MergeProblem> problems);
  std::vector<MergeProblem> problems;
};

/// In what the shards of one run may differ. Worth a sentence wherever there is more than one.
struct Mixture {
  std::set<std::string> commits;     ///< of the builds that made them
  std::set<std::string> processors;  ///< on which their cells were performed
};

struct MergeOptions {
  bool mixed_plugins = false;  ///< take shards that were made with different files of one plugin
  bool partial = false;        ///< take what is there, though shards or cells are missing
};

struct MergeRequest {
  std::vector<std::string> shards;  ///< their journals, or the names beside which these lie: `a.3-of-40.h5`
  std::string output;
  MergeOptions options;
  bool fresh = false;  ///< replace whatever the output holds
  std::vector<std::string> command_line;
};

struct MergeResult {
  Ending ending = Ending::complete;  ///< `interrupted`: nothing was written
  std::string title;                 ///< of the study
  std::vector<data::Cell> cells;     ///< those that are in the file, in plan order
  data::Catalogue catalogue;         ///< the experiments of these cells
  OutcomeSummaries outcomes;         ///< one a cell
  std::vector<data::ExpectationResult> expectations;
  data::AnswerTable answers;
  data::PluginChecks plugin_checks;  ///< of all shards
  std::vector<data::WeightsFile> weights_files;
  std::size_t planned = 0;  ///< cells of the study; more than `cells` if shards were left out
  bool complete = true;
  double seconds = 0;
};

/// Checks the shards against each other, judges the study's expectations and writes `output`, reading one outcome at a
/// time. `differences` is told in what the shards differ once they are known to belong together. `stop`, set from
/// outside, ends the merge before anything is written. Throws NotMergeable, base::Error, OutputTaken, OutputUnreadable,
/// base::FileError.
MergeResult merge_shards(const MergeRequest& request, const std::function<void(const Mixture&)>& differences,
                         const std::atomic<bool>& stop);

}  // namespace poslab::run
