// SPDX-License-Identifier: Apache-2.0
// Errors have a kind, by which the program acts, and a hint. A type of its own has an error that code tells from others
// of its kind, or whose facts code uses. Each sentence is made in one place: by the type, or by a function that returns
// the error.
#pragma once

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>

namespace poslab::base {

/// Root of everything that poslab throws on purpose. `what()` is "problem; hint": the value, the valid range, where it
/// was met, and what to do.
struct Error : std::runtime_error {
  enum class Kind : std::uint8_t {
    internal,   ///< a bug of ours, or a library or system call that fails where it never should
    argument,   ///< words that cannot be understood or are out of range: the program says where it explains its words
    request,    ///< understood, but nothing that can be done so
    file,       ///< a file or directory that is missing, of another sort, or not ours to read or write
    damaged,    ///< bytes that contradict themselves, or what they should be
    plugin,     ///< a plugin that fails, or breaks a rule of the boundary
    numeric,    ///< numbers on which nothing can be computed
    disk,       ///< a disk that is full, failing or gone: the same command can go on later
    resources,  ///< processes or memory that the machine does not give now: the same command can go on later
    busy        ///< another process holds what is needed: the same command later
  };
  explicit Error(const std::string& problem) : Error(Kind::internal, problem) {}
  Error(Kind kind, const std::string& problem, const std::string& hint = "");
  Kind kind;
  std::string hint;  ///< what to do; may be empty
};

/// A file or directory that cannot be read or written: `path`, and the reason of the operating system.
struct FileError : Error {
  FileError(std::string path, const std::string& problem, const std::string& hint = "", Kind kind = Kind::file);
  std::string path;
  std::string problem;  ///< without path and hint
};

/// Whether this error of the operating system (an errno) is the disk's, whichever call failed.
bool is_disk_error(int error);
/// The kind of what is thrown: an Error's own; `disk` for what the standard library throws with such an errno; else
/// `internal`.
Error::Kind kind_of(const std::exception& failure);

}  // namespace poslab::base
