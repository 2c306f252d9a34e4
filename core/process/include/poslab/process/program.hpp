// SPDX-License-Identifier: Apache-2.0
// Running another program, found along PATH, without a shell.
#pragma once

#include <string>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/process/child.hpp"

namespace poslab::process {

/// There is no such program here, or it may not be run.
struct NoProgram : base::Error {
  NoProgram(const std::string& program, int reason);
  std::string program;
  int reason;  ///< errno
};

/// Runs `words[0]` with the other words as its arguments and `input` on its stdin, and waits for it; after
/// `time_limit` seconds it is killed. `output` and `complaint` are whole. Throws NoProgram, base::Error.
Ended run_program(const std::vector<std::string>& words, const std::string& input, double time_limit);

}  // namespace poslab::process
