// SPDX-License-Identifier: Apache-2.0
// From the command line to what the jobs are made from: numbers in their ranges, paths absolute.
#include "poslab/app/arguments/submission.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "poslab/app/arguments/plugins.hpp"
#include "poslab/app/arguments/supply_options.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/shard.hpp"

namespace po = boost::program_options;
namespace fs = std::filesystem;

namespace poslab::app {
namespace {

constexpr int most_tasks = data::max_shards, most_cpus = 1024, most_restarts = 1000;

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

}  // namespace

std::vector<std::string> take_sbatch_options(std::vector<std::string>& arguments) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (dashes == arguments.end()) return {};
  const std::vector<std::string> options(dashes + 1, arguments.end());
  arguments.erase(dashes, arguments.end());
  return options;
}

void add_submission_options(Options& options) {
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto texts = [](const char* name) { return po::value<std::vector<std::string>>()->value_name(name); };
  const auto number = [](int value) { return po::value<int>()->value_name("N")->default_value(value); };
  options.group("job");
  options.add()("tasks", po::value<int>()->value_name("N"), "tasks of the job array, one shard each")(
      "at-once", number(0), "tasks that may run at a time; 0: as many as Slurm lets")(
      "cpus", number(1), "processors, and threads, of a task")("time", text("TIME"),
                                                               "longest time of a task, like 2:00:00")(
      "memory", text("SIZE"), "memory of a task, like 4GiB, of which cells get 4/5")(
      "partition", text("NAME"), "partition of the cluster")("restarts", number(5),
                                                             "how often a task that was killed is queued again")(
      "dry-run", "print what would be submitted, as a bash script, and stop");
  options.group("study");
  options.add()("output,o", text("FILE"), "merged results file; ./STUDY.h5 if absent")(
      "axis", texts("NAME=A,B,.."), "other values for an axis (may be repeated)")(
      "only", texts("ID"), "keep this scheme or experiment (may be repeated)")(
      "workers", number(1), "processes of a task that share its threads")(
      "cell-time", po::value<double>()->value_name("SECONDS"),
      "give a cell up after this long without progress; an hour if absent");
  add_plugin_option(options);
  add_supply_options(options);
  options.positional("STUDY", 1, 1);
}

slurm::Submission submission_of(const po::variables_map& values, const std::string& study) {
  if (values.count("tasks") == 0) throw UsageError("--tasks N is missing: into how many tasks the study is split");
  slurm::Submission submission;
  submission.tasks = number_of(values, "tasks", 1, most_tasks);
  submission.at_once = number_of(values, "at-once", 0, most_tasks);
  submission.cpus = number_of(values, "cpus", 1, most_cpus);
  submission.restarts = number_of(values, "restarts", 0, most_restarts);
  submission.time = text_of(values, "time");
  if (!submission.time.empty()) slurm::seconds_of(submission.time);  // throws where it is none
  if (values.count("memory") > 0) submission.memory = parse_bytes(text_of(values, "memory"));
  submission.partition = text_of(values, "partition");
  const std::string output = text_of(values, "output");
  submission.poslab = fs::read_symlink("/proc/self/exe").string();
  submission.output = absolute(output.empty() ? fs::path(study).stem().string() + ".h5" : output);
  submission.logs = submission.output + ".slurm";
  submission.source = absolute(study);
  submission.study = (fs::path(submission.logs) / fs::path(study).filename()).string();
  submission.plugin_path = absolute_plugin_path();
  for (const std::string& directory : texts_of(values, "plugins"))
    for (const std::string& word : {std::string("--plugins"), absolute(directory)})
      submission.run_options.push_back(word);
  const int workers = number_of(values, "workers", 1, submission.cpus);
  if (workers > 1) submission.run_options.push_back(fmt::format("--workers={}", workers));
  if (values.count("cell-time") > 0) {
    const double seconds = values["cell-time"].as<double>();
    if (!(seconds > 0)) throw UsageError(fmt::format("--cell-time is {}, but must be above 0 seconds", seconds));
    submission.run_options.push_back("--cell-time=" + base::shortest(seconds));
  }
  for (const char* name : {"axis", "only"})
    for (const std::string& text : texts_of(values, name))
      submission.run_options.push_back(fmt::format("--{}={}", name, text));
  const run::SupplyRequest supply = with_absolute_paths(supply_of(values));
  for (const auto& [name, path] : supply.files)
    submission.run_options.push_back(fmt::format("--data={}={}", name, path));
  for (const std::string& text : supply.weights) submission.run_options.push_back("--weights=" + text);
  return submission;
}

}  // namespace poslab::app
