// SPDX-License-Identifier: Apache-2.0
// What may stand next on a command line, for the shell that completes it.
#pragma once

#include <string>
#include <vector>

namespace poslab::app {

struct Completion {
  std::vector<std::string> words;
  std::vector<std::string> files;  ///< patterns, like *.toml: files of these names, too, and directories to look in
  bool directories = false;        ///< directories, too
};

/// `before` follows the name of the program; `begun` may be empty. A shell that takes --only=x apart may pass the sign
/// between as a word.
Completion completion_of(std::vector<std::string> before, std::string begun);

}  // namespace poslab::app
