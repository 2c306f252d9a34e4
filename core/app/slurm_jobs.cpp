// SPDX-License-Identifier: Apache-2.0
// How sbatch is called.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <regex>

#include "poslab/app/options.hpp"
#include "poslab/app/slurm.hpp"

namespace poslab::app {
namespace {

constexpr int longest_warning = 120;  // seconds

// For a person who reads squeue: nothing that could disturb its lines.
std::string job_name(const std::string& output) {
  std::string name = std::filesystem::path(output).stem().string();
  for (char& c : name)
    if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7f || c == '%' || c == '\\') c = '_';
  return name;
}

// A file name pattern of Slurm, where % begins what is replaced, even in the name of the working directory.
std::string log_pattern(const std::string& folder, const std::string& name) {
  if (folder.find('\\') != std::string::npos)
    throw base::Error(fmt::format(
        "logs cannot go to {}: Slurm drops the backslash in such a name; choose another place with -o", folder));
  std::string pattern;
  for (const char c : folder) pattern += c == '%' ? "%%" : std::string(1, c);
  return pattern + "/" + name;
}

std::vector<std::string> common_options(const Submission& submission, const std::string& name, const std::string& log) {
  std::vector<std::string> words{"sbatch",
                                 "--parsable",
                                 "--requeue",
                                 "--open-mode=append",
                                 "--nodes=1",
                                 "--ntasks=1",
                                 "--job-name=" + name,
                                 "--chdir=" + submission.logs,
                                 "--output=" + log_pattern(submission.logs, log)};
  if (!submission.time.empty()) words.push_back("--time=" + submission.time);
  if (!submission.partition.empty()) words.push_back("--partition=" + submission.partition);
  if (submission.memory > 0) words.push_back(fmt::format("--mem={:.0f}M", std::ceil(submission.memory / 0x1p20)));
  return words;
}

}  // namespace

int warning_seconds(const Submission& submission) {
  if (submission.time.empty()) return longest_warning;
  return static_cast<int>(std::clamp(slurm_seconds(submission.time) / 4, 1.0, double{longest_warning}));
}

SlurmJob task_array(const Submission& submission) {
  SlurmJob job;
  job.command = common_options(submission, job_name(submission.output), fmt::format("%a-of-{}.log", submission.tasks));
  job.command.push_back(fmt::format("--array=1-{}", submission.tasks) +
                        (submission.at_once > 0 ? fmt::format("%{}", submission.at_once) : ""));
  job.command.push_back(fmt::format("--cpus-per-task={}", submission.cpus));
  job.command.push_back(fmt::format("--signal=B:USR1@{}", warning_seconds(submission)));
  job.command.insert(job.command.end(), submission.sbatch_options.begin(), submission.sbatch_options.end());
  job.script = task_script(submission);
  return job;
}

SlurmJob merge_job(const Submission& submission) {
  SlurmJob job;
  job.command = common_options(submission, job_name(submission.output) + "-merge", "merge.log");
  job.command.insert(job.command.end(), submission.sbatch_options.begin(), submission.sbatch_options.end());
  job.script = merge_script(submission);
  return job;
}

double slurm_seconds(const std::string& time) {
  static const std::regex form("(?:([0-9]{1,6})-)?([0-9]{1,9})(?::([0-9]{1,2}))?(?::([0-9]{1,2}))?");
  std::smatch parts;
  if (!std::regex_match(time, parts, form))
    throw UsageError(fmt::format(
        "--time is \"{}\", but must be like 90 (minutes), 2:00:00 (hours:minutes:seconds) or 1-12 (days-hours)", time));
  const auto number = [&](std::size_t i) { return parts[i].matched ? std::stod(parts[i]) : 0; };
  double seconds = 0;
  if (parts[1].matched)
    seconds = ((number(1) * 24 + number(2)) * 60 + number(3)) * 60 + number(4);
  else if (parts[4].matched)
    seconds = (number(2) * 60 + number(3)) * 60 + number(4);
  else
    seconds = number(2) * 60 + number(3);
  if (seconds <= 0) throw UsageError(fmt::format("--time is \"{}\", but must be longer than nothing", time));
  return seconds;
}

}  // namespace poslab::app
