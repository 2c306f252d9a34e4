// SPDX-License-Identifier: Apache-2.0
// Another program, found along PATH and given its words as they are: no shell reads them.
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
};

/// Runs `words[0]` with the rest as its arguments and `input` on its stdin, and waits for it, however long. `output` and
/// `complaint` are all that it said. Throws NoProgram, base::Error.
Ended run_program(const std::vector<std::string>& words, const std::string& input);

}  // namespace poslab::process
