// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "poslab/app/bash_words.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/app/continued.hpp"
#include "poslab/app/options.hpp"
#include "poslab/app/output.hpp"
#include "poslab/app/overrides.hpp"
#include "poslab/app/plugins.hpp"
#include "poslab/app/submission.hpp"
#include "poslab/base/text.hpp"
#include "poslab/process/program.hpp"
#include "poslab/run/journal.hpp"
#include "poslab/run/machine.hpp"
#include "poslab/run/shards.hpp"
#include "poslab/run/workshop.hpp"
#include "poslab/spec/plan.hpp"

namespace po = boost::program_options;
namespace fs = std::filesystem;

namespace poslab::app {
namespace {

void refuse_what_does_not_fit(const spec::Plan& plan, double memory) {
  double largest = 0;
  for (const base::Estimate& estimate : plan.estimates) largest = std::max(largest, estimate.bytes);
  if (memory > 0 && largest > cells_share * memory)
    throw base::Error(
        fmt::format("the largest cell is estimated to need {}, but a task of {} has {} for its cells; raise "
                    "--memory, or make the study smaller",
                    base::human_bytes(largest), base::human_bytes(memory), base::human_bytes(cells_share * memory)));
}

// Whether tasks of an earlier submission have done something of this plan: then it is the same study, changed.
bool any_is_continued(const Submission& submission, const spec::Study& study, const spec::Plan& plan,
                      const base::Catalogue& catalogue) {
  for (int i = 1; i <= submission.tasks; ++i) {
    const fs::path output = run::shard_output(submission.output, {i, submission.tasks});
    if (is_continued(run::Journal::beside(output), study, plan, catalogue)) return true;
  }
  return false;
}

// What `run` would refuse shall be refused here, not by forty tasks tomorrow. Returns how many cells there are to perform.
std::size_t check_study(const po::variables_map& values, const Submission& submission) {
  const auto workshop = run::make_workshop({run::processors(), 1, 0, 3600});
  const host::Library library = open_library(values, *workshop);
  if (!library.refusals().empty()) std::fputs((refusals_text(library) + "\n").c_str(), stderr);
  const base::Catalogue catalogue = catalogue_of(library);
  const spec::Study study = spec::read_study(submission.source, catalogue, overrides_of(values));
  const spec::Plan plan = spec::make_plan(
      study, catalogue, [&](const std::vector<const base::Cell*>& cells) { return workshop->forecast(cells); });
  refuse_what_does_not_fit(plan, submission.memory);
  require_writable(submission.output, study.hash(), false,
                   [&] { return any_is_continued(submission, study, plan, catalogue); });
  return static_cast<std::size_t>(
      std::count_if(plan.cells.begin(), plan.cells.end(), [](const base::Cell& cell) { return cell.skip.empty(); }));
}

// What is done, as a script that does it.
std::string as_script(const Submission& submission) {
  const SlurmJob tasks = task_array(submission), merge = merge_job(submission);
  return fmt::format(
      "#!/bin/bash\nset -eu\n\nmkdir -p -- {}\ncp -- {} {}\n\n"
      "tasks=$({} <<'END_OF_SCRIPT'\n{}END_OF_SCRIPT\n)\n\n"
      "merge=$({} --dependency=\"afterany:${{tasks%%;*}}\" <<'END_OF_SCRIPT'\n{}END_OF_SCRIPT\n)\n\n"
      "echo \"tasks: $tasks, merge: $merge\"\n",
      bash_word(submission.logs), bash_word(submission.source), bash_word(submission.study), bash_words(tasks.command),
      tasks.script, bash_words(merge.command), merge.script);
}

// The tasks read a copy: what was submitted is what runs, though the study is edited while they wait.
// True if the folder is new.
bool copy_study(const Submission& submission) {
  std::error_code problem;
  const bool is_new = fs::create_directory(submission.logs, problem);
  if (problem) throw base::FileError(submission.logs, problem.message());
  if (fs::equivalent(submission.source, submission.study, problem)) return is_new;
  fs::copy_file(submission.source, submission.study, fs::copy_options::overwrite_existing, problem);
  if (problem) throw base::FileError(submission.study, problem.message());
  return is_new;
}

std::string submit(const SlurmJob& job) {
  const process::Ended ended = process::run_program(job.command, job.script);
  std::fputs(ended.complaint.c_str(), stderr);
  if (ended.how != process::End::exited || ended.code != 0)
    throw base::Error(fmt::format(
        "sbatch ended with {} (what it said stands above)",
        ended.how == process::End::exited ? fmt::format("code {}", ended.code) : process::signal_text(ended.code)));
  const std::string id = ended.output.substr(0, ended.output.find_first_of(";\n"));
  if (id.empty() || id.find_first_not_of("0123456789") != std::string::npos)
    throw base::Error(fmt::format("sbatch said \"{}\", where the number of the job was expected", ended.output));
  return id;
}

std::string submit_tasks(const Submission& submission) {
  const bool is_new = copy_study(submission);
  try {
    return submit(task_array(submission));
  } catch (const base::Error& failure) {
    std::error_code none;
    if (is_new) fs::remove_all(submission.logs, none);
    if (!dynamic_cast<const process::NoProgram*>(&failure)) throw;
    throw base::Error(
        fmt::format("{}; call poslab submit where Slurm is, or see with --dry-run what it would do", failure.what()));
  }
}

std::string submit_merge(SlurmJob job, const std::string& tasks, const Submission& submission) {
  job.command.push_back("--dependency=afterany:" + tasks);
  try {
    return submit(job);
  } catch (const base::Error& failure) {
    const fs::path output = submission.output;
    throw base::Error(fmt::format(
        "{}\nthe tasks are submitted (job {}), but nothing will merge what they leave; when they are done:\n"
        "  {} {}.{{1..{}}}-of-{}{}\nor take them back: scancel {}",
        failure.what(), tasks, bash_words({"poslab", "merge", "-o", submission.output}),
        bash_word((output.parent_path() / output.stem()).string()), submission.tasks, submission.tasks,
        output.extension().empty() ? "" : bash_word(output.extension().string()), tasks));
  }
}

}  // namespace

int submit_command(const std::vector<std::string>& arguments) {
  Options options("submit");
  add_submission_options(options);
  const po::variables_map values = options.parse(arguments);
  const Submission submission = submission_of(values, values["STUDY"].as<std::vector<std::string>>().front());
  const std::size_t cells = check_study(values, submission);
  if (static_cast<std::size_t>(submission.tasks) > cells)
    std::fputs(fmt::format("poslab: {} tasks for {} cells: at least {} will find nothing to do\n", submission.tasks,
                           cells, static_cast<std::size_t>(submission.tasks) - cells)
                   .c_str(),
               stderr);
  if (values.count("dry-run") > 0) {
    std::fputs(as_script(submission).c_str(), stdout);
    return all_well;
  }
  const std::string tasks = submit_tasks(submission);
  const std::string merge = submit_merge(merge_job(submission), tasks, submission);
  std::fputs(fmt::format("job {}: {} tasks for {} cells\njob {}: merges them into {}\nlogs: {}\n", tasks,
                         submission.tasks, cells, merge, submission.output, submission.logs)
                 .c_str(),
             stdout);
  return all_well;
}

}  // namespace poslab::app
