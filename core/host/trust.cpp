// SPDX-License-Identifier: Apache-2.0
#include "trust.hpp"

#include <system_error>

namespace poslab::host {

bool is_everybodys(const std::filesystem::path& path) {
  std::error_code problem;
  const auto permissions = std::filesystem::status(path, problem).permissions();
  return !problem && (permissions & std::filesystem::perms::others_write) != std::filesystem::perms::none;
}

}  // namespace poslab::host
