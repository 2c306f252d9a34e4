// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/disk.hpp"

#include <cerrno>
#include <system_error>

namespace poslab::base {

// A read-only file system is not among them: more often the path was wrong.
bool is_of_disk(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EIO:
    case EFBIG:
    case ESTALE:
    case EREMOTEIO:
    case ETIMEDOUT: return true;
    default: return false;
  }
}

bool is_of_disk(const std::exception& failure) {
  if (dynamic_cast<const DiskTrouble*>(&failure)) return true;
  const auto* of_system = dynamic_cast<const std::system_error*>(&failure);
  if (!of_system) return false;
  const std::error_category& category = of_system->code().category();
  return (category == std::system_category() || category == std::generic_category()) &&
         is_of_disk(of_system->code().value());
}

}  // namespace poslab::base
