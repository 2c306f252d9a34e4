// SPDX-License-Identifier: Apache-2.0
// Errors are types with the facts as members; the message is built in one place, where the type is.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace poslab::base {

/// Root of everything that poslab throws on purpose. `what()` names the value, the valid range, where it was met, and
/// what to do.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A file or directory that cannot be read or written: `path`, and the reason of the operating system.
struct FileError : Error {
  FileError(std::string path, const std::string& problem, const std::string& what_to_do = "");
  std::string path;
  std::string problem;  ///< without path and advice
};

}  // namespace poslab::base
