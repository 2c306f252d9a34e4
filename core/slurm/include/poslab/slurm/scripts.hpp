// SPDX-License-Identifier: Apache-2.0
// What the jobs do, as scripts of bash that a person can read.
#pragma once

#include <string>

#include "poslab/slurm/submission.hpp"

namespace poslab::slurm {

/// One task of the array performs its shard, and goes back into the queue when that may help.
std::string task_script(const Submission& submission);
/// The merge job.
std::string merge_script(const Submission& submission);
/// All that `poslab submit` does, as a script that does the same.
std::string submit_script(const Submission& submission);

}  // namespace poslab::slurm
