// SPDX-License-Identifier: Apache-2.0
// The shards of a run become the results file of one run.
#pragma once

#include <atomic>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/data/answer.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/kept_array.hpp"
#include "poslab/data/plugin_check.hpp"
#include "poslab/results/merge.hpp"
#include "poslab/run/outcome_summary.hpp"
#include "poslab/run/provenance.hpp"

namespace poslab::run {

/// What the first shard says of the study and of its build, and what each says of the machine that it was made on.
/// Precondition: there is a shard.
results::Provenance merge_provenance(const std::vector<results::Merge::Source>& sources,
                                     const std::vector<std::string>& arguments, const Stopwatch& watch);

/// What is known of each plugin, the worst that a shard says.
data::PluginChecks plugin_checks_of(const std::vector<results::Merge::Source>& sources);

/// What was given to the cells of all shards, each once, as `provenance/supply` has it; empty: nothing.
std::string supply_of(const std::vector<results::Merge::Source>& sources);

/// In what the shards of one run may differ. Worth a sentence wherever there is more than one.
struct Mixture {
  std::set<std::string> commits;     ///< of the builds that made them
  std::set<std::string> processors;  ///< on which their cells were performed
};
Mixture mixture_of(const std::vector<results::Merge::Source>& sources);

struct MergeRequest {
  std::vector<std::string> files;  ///< of the shards
  std::string output;
  results::MergeOptions options;
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
/// outside, ends the merge before anything is written. Throws results::NotMergeable, base::Error, OutputTaken,
/// OutputUnreadable, base::FileError.
MergeResult merge_shards(const MergeRequest& request, const std::function<void(const Mixture&)>& differences,
                         const std::atomic<bool>& stop);

}  // namespace poslab::run
