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

/// Copies the study into the folder of the logs and submits the tasks. If sbatch refuses, a folder that was made for
/// this is removed. Throws base::Error.
SubmittedJob submit_tasks(const Submission& submission);

/// The job that runs once all tasks have ended. Throws base::Error, which says how to merge by hand.
SubmittedJob submit_merge(const Submission& submission, const std::string& tasks);

}  // namespace poslab::slurm
