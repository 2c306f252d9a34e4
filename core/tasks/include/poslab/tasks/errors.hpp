// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "poslab/base/error.hpp"
#include "poslab/tasks/task.hpp"

namespace poslab::tasks {

/// A number beyond the last instance, or the last probe.
base::Error no_such_instance(const std::string& of_what, std::uint64_t i, std::uint64_t count);

/// A file that is no text to learn from.
struct BadText : base::Error {
  explicit BadText(const std::string& problem);
  std::string problem;  ///< "is empty"
};

}  // namespace poslab::tasks
