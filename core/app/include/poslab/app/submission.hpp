// SPDX-License-Identifier: Apache-2.0
// The command line of `poslab submit`.
#pragma once

#include <string>

#include "poslab/app/options.hpp"
#include "poslab/app/slurm.hpp"

namespace poslab::app {

void add_submission_options(Options& options);
/// Throws UsageError.
Submission submission_of(const boost::program_options::variables_map& values, const std::string& study);

}  // namespace poslab::app
