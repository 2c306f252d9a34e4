// SPDX-License-Identifier: Apache-2.0
// Errors are types with the facts as members; the message is built in one place, where the type is.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace poslab::base {

/// Root of everything that poslab throws on purpose. `what()` names the value, the valid range, the place, and what to do.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A configuration that a scheme, or an experiment with it, cannot serve. A planned cell with it is skipped with `what()`.
struct Refused : Error {
  using Error::Error;
};

/// A position that a scheme cannot serve.
struct PositionOutOfRange : Error {
  using Error::Error;
};

/// A number that must be finite and is not: the cell fails with this sentence.
struct NotFinite : Error {
  NotFinite(const std::string& what_array, const std::string& place, double value);
  double value;
};

/// A file or directory that cannot be read or written: `path`, and the reason of the operating system.
struct FileError : Error {
  FileError(std::string path, const std::string& problem, const std::string& what_to_do = "");
  std::string path;
};

}  // namespace poslab::base
