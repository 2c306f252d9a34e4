// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/error.hpp"

#include <fmt/format.h>

#include "poslab/base/printable.hpp"

namespace poslab::base {

FileError::FileError(std::string path_, const std::string& problem_, const std::string& what_to_do)
    : Error(what_to_do.empty() ? fmt::format("{}: {}", printable(path_), problem_)
                               : fmt::format("{}: {}; {}", printable(path_), problem_, what_to_do)),
      path(std::move(path_)),
      problem(problem_) {}

}  // namespace poslab::base
