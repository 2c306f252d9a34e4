// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/error.hpp"

#include <fmt/format.h>

#include "poslab/base/printable.hpp"

namespace poslab::base {

FileError::FileError(std::string path_, const std::string& problem, const std::string& what_to_do)
    : Error(fmt::format("{}: {}{}{}", printable(path_), problem, what_to_do.empty() ? "" : "; ", what_to_do)),
      path(std::move(path_)) {}

}  // namespace poslab::base
