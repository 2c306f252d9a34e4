// SPDX-License-Identifier: Apache-2.0
#include "commands/submit.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "commands/plugins.hpp"
#include "commands/run.hpp"
#include "options/completers.hpp"
#include "poslab/base/count.hpp"
#include "poslab/base/machine.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/search_path.hpp"
#include "poslab/data/shard.hpp"
#include "poslab/run/library.hpp"
#include "poslab/run/runnable.hpp"
#include "poslab/slurm/sbatch.hpp"
#include "poslab/slurm/scripts.hpp"
#include "poslab/slurm/submit.hpp"
#include "poslab/study/study.hpp"
#include "poslab/workers/backend.hpp"
#include "terminal/terminal.hpp"

namespace fs = std::filesystem;

namespace poslab::app {
namespace {

std::string absolute_plugin_path() {
  std::string path;
  for (const std::string& folder : base::folders_of_environment("POSLAB_PLUGIN_PATH"))
    path += (path.empty() ? "" : ":") + absolute_path(folder);
  return path;
}

// What `run` would refuse is refused here, and not by forty tasks tomorrow. Returns how many cells there are to
// perform.
std::size_t check_study(const Options& of_run, const slurm::Submission& submission) {
  const auto backend = workers::make_backend({base::processors(), 1, 0, 3600});
  const host::Library library = open_library(plugin_directories(of_run), *backend, {submission.source});
  const run::RunRequest request = run_request(of_run);
  const run::ShardedStudy asked{
      submission.source, submission.study, submission.output, submission.tasks, slurm::cells_share * submission.memory,
      request.overrides, request.supply};
  return run::require_runnable(asked, run::catalogue_of(library), *backend);
}

// The copy of a study looks for its Python files beside itself.
std::vector<slurm::Link> links_for(const std::string& study, const std::string& folder) {
  const std::string own = fs::path(study).parent_path().string() + "/";
  std::vector<slurm::Link> links;
  for (const std::string& file : study::names_of_files_in(study)) {
    if (fs::path(file).is_absolute()) continue;
    const std::string at = fs::path(file).lexically_normal().string();
    if (at.starts_with("../"))
      throw UsageError(fmt::format(
          "{} names {}, outside of its folder, where the tasks cannot find it; name the whole path", study, file));
    links.push_back({own + at, (fs::path(folder) / at).string()});
  }
  return links;
}

int submit(const SubmitOptions& asked) {
  slurm::Submission submission = asked.submission();
  slurm::require_foreign(submission.sbatch_options);
  const std::size_t cells = check_study(*asked.of_run, submission), tasks = static_cast<std::size_t>(submission.tasks);
  if (tasks > cells)
    print(stderr, fmt::format("poslab: {} for {}: at least {} will find nothing to do\n", base::counted(tasks, "task"),
                              base::counted(cells, "cell"), tasks - cells));
  if (*asked.dry_run) {
    print_as_it_is(stdout, slurm::submit_script(submission));
    return all_well;
  }
  const slurm::SubmittedJob array = slurm::submit_tasks(submission);
  print(stderr, array.warnings);
  const slurm::SubmittedJob merge = slurm::submit_merge(submission, array.id);
  print(stderr, merge.warnings);
  print(stdout, fmt::format("job {}: {} for {}\njob {}: merges them into {}\nlogs: {}\n", array.id,
                            base::counted(tasks, "task"), base::counted(cells, "cell"), merge.id, submission.output,
                            submission.logs));
  return all_well;
}

}  // namespace

SubmitOptions::SubmitOptions()
    : of_run(run_options()),
      tasks(this, option("tasks", "N", "tasks of the job array, one shard each"),
            accepted<int>(between(1, data::max_shards))),
      at_once(this, option("at-once", "N", "tasks that may run at a time; 0: as many as Slurm lets"),
              usual(0, between(0, data::max_shards))),
      cpus(this, option("cpus", "N", "processors, and threads, of a task"), usual(1, between(1, 1024))),
      restarts(this, option("restarts", "N", "how often a task that was killed is queued again"),
               usual(5, between(0, 1000))),
      output(this, option("output", "FILE", "merged results file; ./STUDY.h5 if absent", results_files, nullptr, 'o'),
             accepted(output_name())) {
  words = {1, 1, study_files};
  hands_on_after_dashes_ = true;
  share_with_jobs(*of_run);
}

slurm::Submission SubmitOptions::submission() const {
  if (!tasks.is_given()) throw UsageError("--tasks N is missing: into how many tasks the study is split");
  if (!time->empty()) slurm::seconds_of(*time);  // throws where it is none
  between(1, *cpus)("workers", run_request(*of_run).workers);
  const std::string& study_file = words.given.front();
  if (study::is_given_open(study_file))
    throw UsageError(fmt::format("{} is open for this command only, and jobs read the study later: give it as a file",
                                 base::printable(study_file)));
  slurm::Submission submission;
  submission.tasks = *tasks;
  submission.at_once = *at_once;
  submission.cpus = *cpus;
  submission.restarts = *restarts;
  submission.time = *time;
  submission.memory = memory->count;
  submission.partition = *partition;
  submission.poslab = fs::read_symlink("/proc/self/exe").string();
  submission.output = absolute_path(output->empty() ? fs::path(study_file).stem().string() + ".h5" : *output);
  submission.logs = submission.output + ".slurm";
  submission.source = absolute_path(study_file);
  submission.study = (fs::path(submission.logs) / fs::path(study_file).filename()).string();
  if (std::error_code none; fs::equivalent(submission.source, submission.study, none))
    submission.source = submission.study;
  else
    submission.links = links_for(submission.source, submission.logs);
  submission.plugin_path = absolute_plugin_path();
  if (const char* python = std::getenv("POSLAB_PYTHON")) submission.python = python;
  submission.run_options = of_run->handed_to_jobs();
  submission.sbatch_options = after_dashes();
  return submission;
}

Command submit_command() {
  return with_action(
      {.name = "submit",
       .sentence = "run a study on a cluster with Slurm",
       .usage = "STUDY.toml --tasks N",
       .what = "Checks the study, then submits a job array, a task for each shard, and a job that merges "
               "them. Call it where sbatch is, in a folder that all nodes see.",
       .shown = {"poslab submit study.toml --tasks 40 --time 2:00:00",
                 "poslab submit study.toml --tasks 40 --memory 8GiB -- --account=lab"},
       .exit_codes = "0 submitted, 2 the study, an option or what sbatch says is wrong.",
       .after_options = " [-- OPTIONS OF SBATCH]"},
      submit);
}

}  // namespace poslab::app
