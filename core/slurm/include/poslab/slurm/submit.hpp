// SPDX-License-Identifier: Apache-2.0
// Submitting: the only part of this room that does something.
#pragma once

#include <string>

#include "poslab/base/error.hpp"
#include "poslab/process/child.hpp"
#include "poslab/slurm/submission.hpp"

namespace poslab::slurm {

struct SubmittedJob {
  std::string id;
  std::string warnings;  ///< what sbatch wrote to its stderr
};

/// sbatch submitted nothing.
struct SbatchFailed : base::Error {
  explicit SbatchFailed(const process::Ended& ended);
  process::Ended ended;
};

/// sbatch says that all is well, but gives no number of a job.
struct NoJobNumber : base::Error {
  explicit NoJobNumber(const std::string& output);
  std::string output;
};

/// There is no sbatch here.
struct NoSbatch : base::Error {
  explicit NoSbatch(const process::NoProgram& reason);
};

/// The tasks are in the queue, the merge job is not.
struct MergeNotSubmitted : base::Error {
  MergeNotSubmitted(const Submission& submission, const std::string& tasks, const std::string& reason);
  std::string tasks;   ///< number of the job array
  std::string reason;  ///< what sbatch said
};

/// Copies the study into the folder of the logs and submits the tasks. If sbatch refuses, a folder that was made for
/// this is removed. Throws NoSbatch, SbatchFailed, NoJobNumber, BadLogFolder, base::FileError.
SubmittedJob submit_tasks(const Submission& submission);

/// The job that runs once all tasks have ended. Throws MergeNotSubmitted.
SubmittedJob submit_merge(const Submission& submission, const std::string& tasks);

}  // namespace poslab::slurm
