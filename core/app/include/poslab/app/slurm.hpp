// SPDX-License-Identifier: Apache-2.0
// A study as jobs of Slurm: an array with a task a shard, and a job that merges what the tasks have left.
#pragma once

#include <string>
#include <vector>

namespace poslab::app {

/// What the jobs are made from. Every path is absolute: jobs start elsewhere.
struct Submission {
  std::string poslab;                    ///< this program
  std::string source;                    ///< the study
  std::string study;                     ///< the copy of it that the tasks read
  std::string output;                    ///< the merged results file
  std::string logs;                      ///< folder of the logs and of that copy
  std::string plugin_path;               ///< POSLAB_PLUGIN_PATH; empty: not set
  std::vector<std::string> run_options;  ///< --plugins, --axis, --only
  int tasks = 1, cpus = 1;
  int at_once = 0;    ///< tasks that run at a time; 0: as many as Slurm lets
  int restarts = 5;   ///< how often a task may go back into the queue
  std::string time;   ///< as Slurm writes it; empty: the partition's own
  double memory = 0;  ///< bytes for a task; 0: the partition's own
  std::string partition;
  std::vector<std::string> sbatch_options;
};

/// What cells get of the memory of a task.
inline constexpr double cells_share = 0.8;

/// A call of sbatch, and the script that it reads from its stdin.
struct SlurmJob {
  std::vector<std::string> command;
  std::string script;
};

SlurmJob task_array(const Submission& submission);
/// Without its `--dependency`, which needs the number of the array.
SlurmJob merge_job(const Submission& submission);

/// The scripts alone.
std::string task_script(const Submission& submission);
std::string merge_script(const Submission& submission);

/// Seconds before its end at which a task is told that time is nearly up.
int warning_seconds(const Submission& submission);
/// "90", "1:30", "2:00:00", "1-12" ... as seconds. Throws UsageError.
double slurm_seconds(const std::string& time);
/// Words of --sbatch, split as a shell would, with nothing expanded. Throws UsageError for what poslab sets itself.
std::vector<std::string> split_sbatch_options(const std::string& text);

}  // namespace poslab::app
