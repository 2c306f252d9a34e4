// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "poslab/base/bad_argument.hpp"
#include "poslab/tasks/task.hpp"

namespace poslab::tasks {

/// A size that a task has no instances of; the message is Task::why_not's.
struct BadSize : base::BadArgument {
  BadSize(const std::string& why_not, Index size);
  Index size;
};

/// A number beyond the last instance, or the last probe.
struct NoSuchInstance : base::Error {
  NoSuchInstance(const std::string& of_what, std::uint64_t i, std::uint64_t count);
  std::uint64_t i, count;
};

/// A file that is no text to learn from.
struct BadText : base::Error {
  explicit BadText(const std::string& problem);
  std::string problem;  ///< "is empty"
};

}  // namespace poslab::tasks
