// SPDX-License-Identifier: Apache-2.0
#include "poslab/slurm/sbatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "poslab/slurm/scripts.hpp"

namespace poslab::slurm {
namespace {

// Options that every job of ours sets, and those that would make it another job. What the table lacks may be given.
struct OurOption {
  std::string_view name;
  char letter;
};
constexpr OurOption our_options[] = {
    {"--array", 'a'},    {"--chdir", 'D'},      {"--cpus-per-task", 'c'}, {"--error", 'e'},     {"--input", 'i'},
    {"--nodes", 'N'},    {"--no-requeue", ' '}, {"--ntasks", 'n'},        {"--open-mode", ' '}, {"--output", 'o'},
    {"--parsable", ' '}, {"--quiet", 'Q'},      {"--requeue", ' '},       {"--signal", ' '},    {"--time", 't'},
    {"--wait", 'W'},     {"--wrap", ' '}};

bool is_ours(const std::string& word) {
  const std::string_view name = std::string_view(word).substr(0, word.find('='));
  return std::any_of(std::begin(our_options), std::end(our_options), [&](const OurOption& ours) {
    return name == ours.name || (word[1] != '-' && word[1] == ours.letter);
  });
}

// Without what could disturb the lines of squeue.
std::string job_name(const std::string& output) {
  std::string name = std::filesystem::path(output).stem().string();
  for (char& c : name)
    if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7f || c == '%' || c == '\\') c = '_';
  return name;
}

// Slurm replaces what follows a %, even in the name of the working directory.
std::string log_pattern(const std::string& folder, const std::string& name) {
  if (folder.find('\\') != std::string::npos)
    throw base::Error(base::Error::Kind::request,
                      fmt::format("logs cannot go to {}: Slurm drops the backslash in such a name", folder),
                      "choose another place with -o");
  std::string pattern;
  for (const char c : folder) pattern += c == '%' ? "%%" : std::string(1, c);
  return pattern + "/" + name;
}

// The last of two equal options wins, so the user's may change the name of the job and nothing that comes after. The
// first word after the user's is one that may be lost: an option of theirs that lacks its value takes it.
std::vector<std::string> common_words(const Submission& submission, const std::string& name, const std::string& log) {
  std::vector<std::string> words{"sbatch", "--job-name=" + name};
  words.insert(words.end(), submission.sbatch_options.begin(), submission.sbatch_options.end());
  for (const std::string& word : {std::string("--nodes=1"), std::string("--ntasks=1"), std::string("--parsable"),
                                  std::string("--requeue"), std::string("--open-mode=append"),
                                  "--chdir=" + submission.logs, "--output=" + log_pattern(submission.logs, log)})
    words.push_back(word);
  if (!submission.time.empty()) words.push_back("--time=" + submission.time);
  if (!submission.partition.empty()) words.push_back("--partition=" + submission.partition);
  if (submission.memory > 0) words.push_back(fmt::format("--mem={:.0f}M", std::ceil(submission.memory / 0x1p20)));
  return words;
}

base::Error bad_option(const std::string& word, const std::string& problem) {
  return {base::Error::Kind::argument, fmt::format("\"{}\" cannot be handed on to sbatch: {}", word, problem)};
}

}  // namespace

void require_foreign(const std::vector<std::string>& sbatch_options) {
  for (const std::string& word : sbatch_options) {
    // sbatch would take the word for a script, and read no option behind it.
    if (word.size() < 2 || word[0] != '-' || word == "--")
      throw bad_option(word,
                       "it is no option; write an option and its value as one word, like --account=lab or "
                       "-Alab");
    if (is_ours(word)) throw bad_option(word, "poslab sets it itself, always or by an option of its own");
  }
}

SbatchCall task_array(const Submission& submission) {
  SbatchCall call{common_words(submission, job_name(submission.output), fmt::format("%a-of-{}.log", submission.tasks)),
                  task_script(submission)};
  call.words.push_back(fmt::format("--array=1-{}", submission.tasks) +
                       (submission.at_once > 0 ? fmt::format("%{}", submission.at_once) : ""));
  call.words.push_back(fmt::format("--cpus-per-task={}", submission.cpus));
  call.words.push_back(fmt::format("--signal=B:USR1@{}", warning_seconds(submission)));
  return call;
}

SbatchCall merge_job(const Submission& submission) {
  return {common_words(submission, job_name(submission.output) + "-merge", "merge.log"), merge_script(submission)};
}

}  // namespace poslab::slurm
