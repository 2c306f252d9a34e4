// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/error.hpp"

#include <fmt/format.h>

#include "poslab/base/text.hpp"

namespace poslab::base {

NotFinite::NotFinite(const std::string& what_array, const std::string& place, double value_)
    : Error(fmt::format("{} is {} at {}: every number must be finite here", what_array, shortest(value_), place)),
      value(value_) {}

FileError::FileError(std::string path_, const std::string& problem, const std::string& what_to_do)
    : Error(what_to_do.empty() ? fmt::format("{}: {}", path_, problem)
                               : fmt::format("{}: {}; {}", path_, problem, what_to_do)),
      path(std::move(path_)) {}

}  // namespace poslab::base
