// SPDX-License-Identifier: Apache-2.0
#include "poslab/slurm/submit.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "poslab/base/printable.hpp"
#include "poslab/slurm/sbatch.hpp"

namespace poslab::slurm {
namespace {

namespace fs = std::filesystem;

// The tasks read a copy, so that the study may be edited while they wait; the merge leaves out shards that are older
// than it. True if the folder is new.
bool copy_study(const Submission& submission) {
  std::error_code problem;
  const bool is_new = fs::create_directory(submission.logs, problem);
  if (problem) throw base::FileError(submission.logs, problem.message());
  if (submission.source == submission.study) {
    // By the clock of the disk, as the journals.
    if (utimensat(AT_FDCWD, submission.study.c_str(), nullptr, 0) != 0)
      throw base::FileError(submission.study, std::strerror(errno));
    return is_new;
  }
  for (const Link& link : submission.links) {
    fs::create_directories(fs::path(link.at).parent_path(), problem);
    fs::remove(link.at, problem);
    fs::create_symlink(link.to, link.at, problem);
    if (problem) throw base::FileError(link.at, problem.message());
  }
  fs::copy_file(submission.source, submission.study, fs::copy_options::overwrite_existing, problem);
  if (problem) throw base::FileError(submission.study, problem.message());
  return is_new;
}

// sbatch itself gives up after a minute or so when no controller answers.
constexpr double patience = 600;  // seconds

std::string how_it_ended(const process::Ended& ended) {
  switch (ended.how) {
    case process::End::exited: return fmt::format("code {}", ended.code);
    case process::End::killed: return process::signal_text(ended.code);
    case process::End::timed_out: break;
  }
  return fmt::format("no answer within {:g} s (was the job submitted? squeue knows)", patience);
}

SubmittedJob submit(const SbatchCall& call) {
  const process::Ended ended = process::run_program(call.words, call.script, patience);
  if (ended.how != process::End::exited || ended.code != 0)
    throw base::Error(base::Error::Kind::request,
                      fmt::format("sbatch ended with {}:\n{}", how_it_ended(ended),
                                  ended.error_output.substr(0, ended.error_output.find_last_not_of('\n') + 1)));
  const std::string id = ended.output.substr(0, ended.output.find_first_of(";\n"));
  if (id.empty() || id.find_first_not_of("0123456789") != std::string::npos)
    throw base::Error(base::Error::Kind::request,
                      fmt::format("sbatch said \"{}\", but should have said the number of the job", ended.output));
  return {id, ended.error_output};
}

}  // namespace

SubmittedJob submit_tasks(const Submission& submission) {
  const SbatchCall call = task_array(submission);
  const bool is_new = copy_study(submission);
  try {
    return submit(call);
  } catch (const base::Error& failure) {
    std::error_code none;
    if (is_new) fs::remove_all(submission.logs, none);
    if (const auto* lack = dynamic_cast<const process::NoProgram*>(&failure))
      throw base::Error(base::Error::Kind::request, lack->what(),
                        "call poslab submit where Slurm is, or see with --dry-run what it would do");
    throw;
  }
}

SubmittedJob submit_merge(const Submission& submission, const std::string& tasks) {
  SbatchCall call = merge_job(submission);
  call.words.push_back("--dependency=afterany:" + tasks);
  try {
    return submit(call);
  } catch (const base::Error& failure) {
    throw base::Error(
        base::Error::Kind::request,
        fmt::format(
            "{}\nthe tasks are submitted (job {}), but nothing will merge what they leave; when they are done:\n"
            "  {} {}\nor take them back: scancel {}",
            failure.what(), tasks, base::shell_words({"poslab", "merge", "-o", submission.output}),
            shard_files(submission), tasks));
  }
}

}  // namespace poslab::slurm
