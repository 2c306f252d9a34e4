// SPDX-License-Identifier: Apache-2.0
// How sbatch is called.
#pragma once

#include <string>
#include <vector>

#include "poslab/slurm/submission.hpp"

namespace poslab::slurm {

/// A call of sbatch, and the script that it reads from its stdin.
struct SbatchCall {
  std::vector<std::string> words;
  std::string script;
};

/// Throws base::Error for a folder of logs with a backslash in its name, which Slurm drops.
SbatchCall task_array(const Submission& submission);
/// Without its `--dependency`, which needs the number of the array.
SbatchCall merge_job(const Submission& submission);

/// Throws base::Error for a word that is not an option, and for an option that every job of ours sets itself. What
/// the others mean is up to sbatch.
void require_foreign(const std::vector<std::string>& sbatch_options);

}  // namespace poslab::slurm
