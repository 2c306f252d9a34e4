// SPDX-License-Identifier: Apache-2.0
// A study as jobs of Slurm: an array with one task for each shard, and a job that merges what the tasks leave.
#pragma once

#include <string>
#include <vector>

#include "poslab/base/error.hpp"

namespace poslab::slurm {

struct Link {
  std::string to, at;
};

/// What the jobs are made from. Every path is absolute, because jobs start in another directory.
struct Submission {
  std::string poslab;                    ///< this program
  std::string source;                    ///< the study
  std::string study;                     ///< the copy of it that the tasks read; `source` if that is it
  std::vector<Link> links;               ///< beside the copy, for the files that the study names from its own folder
  std::string output;                    ///< the merged results file
  std::string logs;                      ///< folder of the logs and of that copy
  std::string plugin_path;               ///< POSLAB_PLUGIN_PATH; empty: not set
  std::string python;                    ///< POSLAB_PYTHON; empty: not set
  std::vector<std::string> run_options;  ///< --plugins, --axis, --only, --workers, --cell-time
  int tasks = 1, cpus = 1;
  int at_once = 0;    ///< tasks that may run at a time; 0: as many as Slurm lets
  int restarts = 5;   ///< how often a task may go back into the queue
  std::string time;   ///< as Slurm writes it; empty: the partition's own
  double memory = 0;  ///< bytes for a task; 0: the partition's own
  std::string partition;
  std::vector<std::string> sbatch_options;  ///< handed to sbatch as they are; see require_foreign
};

/// What cells get of the memory of a task; the task's script says four fifths.
inline constexpr double cells_share = 0.8;

/// "90", "1:30", "2:00:00", "1-12" ... as seconds. Throws base::Error.
double seconds_of(const std::string& time);

/// Seconds before its end at which a task is told that time is nearly up.
int warning_seconds(const Submission& submission);

/// The journals of all shards as words of bash, with a brace expansion: `/disk/a.{1..40}-of-40.h5.journal`.
std::string shard_files(const Submission& submission);

}  // namespace poslab::slurm
