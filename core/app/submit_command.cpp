// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "poslab/app/bash_words.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/app/options.hpp"
#include "poslab/app/output.hpp"
#include "poslab/app/overrides.hpp"
#include "poslab/app/plugins.hpp"
#include "poslab/app/slurm.hpp"
#include "poslab/base/text.hpp"
#include "poslab/process/program.hpp"
#include "poslab/run/laboratory.hpp"
#include "poslab/spec/plan.hpp"

namespace po = boost::program_options;
namespace fs = std::filesystem;

namespace poslab::app {
namespace {

constexpr int most_tasks = 10000, most_cpus = 1024, most_restarts = 1000;

void add_options(Options& options) {
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto texts = [](const char* name) { return po::value<std::vector<std::string>>()->value_name(name); };
  const auto number = [](int value) { return po::value<int>()->value_name("N")->default_value(value); };
  options.add()("tasks", po::value<int>()->value_name("N"), "tasks of the job array, one shard each")(
      "at-once", number(0), "tasks that may run at a time; 0: as many as Slurm lets")(
      "cpus", number(1), "processors, and threads, of a task")(
      "time", text("TIME"), "longest time of a task, like 2:00:00; the partition's own if absent")(
      "memory", text("SIZE"), "memory of a task, like 4GiB; the partition's own if absent")("partition", text("NAME"),
                                                                                            "partition of the cluster")(
      "restarts", number(5), "how often a task that was killed or ran out of time may go back into the queue")(
      "sbatch", text("OPTIONS"), "more options for sbatch, in one word: \"--account=lab --constraint=zen4\"")(
      "output,o", text("FILE"), "merged results file; ./STUDY.h5 if absent")(
      "axis", texts("NAME=A,B,.."), "other values for an axis, wherever an experiment has it")(
      "only", texts("ID"), "keep this scheme or experiment (may be given again)")(
      "dry-run", "print what would be submitted, as a bash script, and stop");
  add_plugin_option(options);
  options.positional("STUDY", 1, 1);
}

int number_of(const po::variables_map& values, const char* name, int least, int most) {
  const int number = values[name].as<int>();
  if (number < least || number > most)
    throw UsageError(fmt::format("--{} is {}, but must be from {} to {}", name, number, least, most));
  return number;
}

std::string text_of(const po::variables_map& values, const char* name) {
  return values.count(name) > 0 ? values[name].as<std::string>() : "";
}

std::vector<std::string> texts_of(const po::variables_map& values, const char* name) {
  return values.count(name) > 0 ? values[name].as<std::vector<std::string>>() : std::vector<std::string>();
}

std::string absolute(const std::string& path) { return fs::absolute(path).lexically_normal().string(); }

std::string absolute_plugin_path() {
  const char* listed = std::getenv("POSLAB_PLUGIN_PATH");
  std::string rest = listed ? listed : "", path;
  while (!rest.empty()) {
    const std::string first = rest.substr(0, rest.find(':'));
    if (!first.empty()) path += (path.empty() ? "" : ":") + absolute(first);
    rest.erase(0, std::min(rest.size(), first.size() + 1));
  }
  return path;
}

Submission submission_of(const po::variables_map& values, const std::string& study) {
  if (values.count("tasks") == 0) throw UsageError("--tasks N is missing: into how many tasks the study is split");
  Submission submission;
  submission.tasks = number_of(values, "tasks", 1, most_tasks);
  submission.at_once = number_of(values, "at-once", 0, most_tasks);
  submission.cpus = number_of(values, "cpus", 1, most_cpus);
  submission.restarts = number_of(values, "restarts", 0, most_restarts);
  submission.time = text_of(values, "time");
  if (!submission.time.empty()) slurm_seconds(submission.time);  // throws where it is none
  if (values.count("memory") > 0) submission.memory = parse_bytes(text_of(values, "memory"));
  submission.partition = text_of(values, "partition");
  submission.sbatch_options = split_sbatch_options(text_of(values, "sbatch"));
  const std::string output = text_of(values, "output");
  submission.poslab = fs::read_symlink("/proc/self/exe").string();
  submission.output = absolute(output.empty() ? fs::path(study).stem().string() + ".h5" : output);
  submission.logs = submission.output + ".slurm";
  submission.study = (fs::path(submission.logs) / fs::path(study).filename()).string();
  submission.plugin_path = absolute_plugin_path();
  for (const std::string& directory : texts_of(values, "plugins"))
    for (const std::string& word : {std::string("--plugins"), absolute(directory)})
      submission.run_options.push_back(word);
  for (const char* name : {"axis", "only"})
    for (const std::string& text : texts_of(values, name))
      submission.run_options.push_back(fmt::format("--{}={}", name, text));
  return submission;
}

// What `run` would refuse shall be refused here, not by forty tasks tomorrow.
std::size_t check_study(const po::variables_map& values, const std::string& path, const Submission& submission) {
  const host::Library library = open_library(values);
  if (!library.refusals().empty()) std::fputs((refusals_text(library) + "\n").c_str(), stderr);
  const base::Catalogue catalogue = catalogue_of(library);
  const spec::Study study = spec::read_study(path, catalogue, overrides_of(values));
  run::Laboratory laboratory(library);
  const spec::Plan plan =
      spec::make_plan(study, catalogue, [&](const base::Cell& cell) { return laboratory.forecast(cell); });
  double largest = 0;
  for (const base::Estimate& estimate : plan.estimates) largest = std::max(largest, estimate.bytes);
  if (submission.memory > 0 && largest > 0.8 * submission.memory)
    throw base::Error(fmt::format(
        "the largest cell is estimated to need {}, but a task of {} has {} for its cells; raise "
        "--memory, or make the study smaller",
        base::human_bytes(largest), base::human_bytes(submission.memory), base::human_bytes(0.8 * submission.memory)));
  if (values.count("dry-run") == 0) require_writable(submission.output, study.hash(), false);
  return static_cast<std::size_t>(
      std::count_if(plan.cells.begin(), plan.cells.end(), [](const base::Cell& cell) { return cell.skip.empty(); }));
}

// What is done, as a script that does it.
std::string as_script(const Submission& submission, const std::string& study) {
  const SlurmJob tasks = task_array(submission), merge = merge_job(submission);
  return fmt::format(
      "#!/bin/bash\nset -eu\n\nmkdir -p -- {}\ncp -- {} {}\n\n"
      "tasks=$({} <<'END_OF_SCRIPT'\n{}END_OF_SCRIPT\n)\n\n"
      "merge=$({} --dependency=\"afterany:${{tasks%%;*}}\" <<'END_OF_SCRIPT'\n{}END_OF_SCRIPT\n)\n\n"
      "echo \"tasks: $tasks, merge: $merge\"\n",
      bash_word(submission.logs), bash_word(absolute(study)), bash_word(submission.study), bash_words(tasks.command),
      tasks.script, bash_words(merge.command), merge.script);
}

// The tasks read a copy: what was submitted is what runs, though the study is edited while they wait.
// True if the folder is new.
bool copy_study(const Submission& submission, const std::string& study) {
  std::error_code problem;
  const bool is_new = fs::create_directory(submission.logs, problem);
  if (problem) throw base::FileError(submission.logs, problem.message());
  if (fs::equivalent(study, submission.study, problem)) return is_new;
  fs::copy_file(study, submission.study, fs::copy_options::overwrite_existing, problem);
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

std::string submit_tasks(const Submission& submission, const std::string& study) {
  const bool is_new = copy_study(submission, study);
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
  add_options(options);
  const po::variables_map values = options.parse(arguments);
  const std::string study = values["STUDY"].as<std::vector<std::string>>().front();
  const Submission submission = submission_of(values, study);
  const std::size_t cells = check_study(values, study, submission);
  if (static_cast<std::size_t>(submission.tasks) > cells)
    std::fputs(fmt::format("poslab: {} tasks for {} cells: at least {} will find nothing to do\n", submission.tasks,
                           cells, static_cast<std::size_t>(submission.tasks) - cells)
                   .c_str(),
               stderr);
  if (values.count("dry-run") > 0) {
    std::fputs(as_script(submission, study).c_str(), stdout);
    return all_well;
  }
  const std::string tasks = submit_tasks(submission, study);
  const std::string merge = submit_merge(merge_job(submission), tasks, submission);
  std::fputs(fmt::format("job {}: {} tasks for {} cells\njob {}: merges them into {}\nlogs: {}\n", tasks,
                         submission.tasks, cells, merge, submission.output, submission.logs)
                 .c_str(),
             stdout);
  return all_well;
}

}  // namespace poslab::app
