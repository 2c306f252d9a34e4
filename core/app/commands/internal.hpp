// SPDX-License-Identifier: Apache-2.0
// Commands for no people: what children of this program do, what the shell's completion asks, what the build does.
#pragma once

#include <string>
#include <vector>

#include "options/options.hpp"

namespace poslab::app {

/// `poslab worker`: the host starts it and speaks with it on a connection that only it can make. Throws UsageError.
int worker_command(const std::vector<std::string>& arguments);
/// With a file that may crash HDF5: says what the file holds.
int look_command(const std::vector<std::string>& arguments);
/// With an HDF5 file of weights, which may crash HDF5: hands the arrays to its parent; of a results file those of
/// schemes, or, for `networks_command`, all.
int kept_command(const std::vector<std::string>& arguments);
int networks_command(const std::vector<std::string>& arguments);

/// What may stand next. `before` follows the name of the program; `begun` may be empty. A shell that takes --only=x
/// apart may pass the sign between as a word.
Completion completion_of(std::vector<std::string> before, std::string begun);
/// `poslab complete WORD... BEGUN`, asked by the shells' scripts of core/app/shell.
int complete_command(const std::vector<std::string>& arguments);

/// The manual page, as `man` reads it: commands and options from their own tables.
std::string manual_text();
int manual_command();

}  // namespace poslab::app
