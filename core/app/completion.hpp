// SPDX-License-Identifier: Apache-2.0
// What may stand next on a command line, for the shell that completes it.
#pragma once

#include <string>
#include <vector>

#include "options/options.hpp"

namespace poslab::app {

/// `before` follows the name of the program; `begun` may be empty. A shell that takes --only=x apart may pass the sign
/// between as a word.
Completion completion_of(std::vector<std::string> before, std::string begun);

/// `poslab complete WORD... BEGUN`: not for people. Asked by core/app/shell/poslab.bash.
int complete_command(const std::vector<std::string>& arguments);

}  // namespace poslab::app
