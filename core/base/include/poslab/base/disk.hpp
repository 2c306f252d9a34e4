// SPDX-License-Identifier: Apache-2.0
// Errors of a disk that is full, failing or gone, as distinct from a wrong path: after the first, the same command can
// go on later.
#pragma once

#include <exception>

#include "poslab/base/error.hpp"

namespace poslab::base {

/// The second base class of an error that is the disk's.
struct DiskTrouble {
  DiskTrouble() = default;
  DiskTrouble(const DiskTrouble&) = default;
  DiskTrouble& operator=(const DiskTrouble&) = default;
  virtual ~DiskTrouble() = default;
};

struct DiskError : FileError, DiskTrouble {
  using FileError::FileError;
};

/// Whether this error of the operating system (an errno) is about the disk, whichever call failed.
bool is_of_disk(int error);
/// Whether an exception is: DiskTrouble, or what the standard library throws with such an errno.
bool is_of_disk(const std::exception& failure);

}  // namespace poslab::base
