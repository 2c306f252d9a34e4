// SPDX-License-Identifier: Apache-2.0
// Facts of machine and build that a results file keeps beside its numbers, never among them.
#pragma once

#include <string>
#include <vector>

#include "poslab/journal/journal.hpp"
#include "poslab/results/writer.hpp"
#include "poslab/run/run_request.hpp"
#include "poslab/run/stopwatch.hpp"

namespace poslab::run {

/// All of it describes this run, except `machines`: those on which the cells were performed, in this run or an earlier
/// one.
results::Provenance provenance_of(const study::Study& study, const RunRequest& request,
                                  const results::Description& description, const Stopwatch& watch,
                                  const std::vector<journal::JournalMachine>& machines);

/// The words of a command as a JSON list, `["poslab", "run", "study.toml"]`: nothing has to be unquoted to read it
/// back.
std::string command_line_text(const std::string& command, const std::vector<std::string>& arguments);

}  // namespace poslab::run
