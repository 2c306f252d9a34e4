// SPDX-License-Identifier: Apache-2.0
// The command line of `poslab submit`.
#pragma once

#include <string>
#include <vector>

#include "poslab/app/arguments/options.hpp"
#include "poslab/slurm/submission.hpp"

namespace poslab::app {

/// Removes `--` and what follows it from the arguments, and returns what follows.
std::vector<std::string> take_sbatch_options(std::vector<std::string>& arguments);
void add_submission_options(Options& options);
/// All but the options of sbatch. Throws UsageError, slurm::BadTime.
slurm::Submission submission_of(const boost::program_options::variables_map& values, const std::string& study);

}  // namespace poslab::app
