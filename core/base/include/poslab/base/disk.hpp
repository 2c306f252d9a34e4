// SPDX-License-Identifier: Apache-2.0
// A disk that is full, failing or away, told from a name that was wrong: with the first, the same command goes on
// later.
#pragma once

#include <exception>

#include "poslab/base/error.hpp"

namespace poslab::base {

/// Stands beside base::FileError in the type of an error that is the disk's.
struct DiskTrouble {
  DiskTrouble() = default;
  DiskTrouble(const DiskTrouble&) = default;
  DiskTrouble& operator=(const DiskTrouble&) = default;
  virtual ~DiskTrouble() = default;
};

struct DiskError : FileError, DiskTrouble {
  using FileError::FileError;
};

/// Whether this error of the operating system (an errno) speaks of the disk, whatever was asked of it.
bool is_of_disk(int error);
/// Whether an exception does: DiskTrouble, or what the standard library throws with such an errno.
bool is_of_disk(const std::exception& failure);

}  // namespace poslab::base
