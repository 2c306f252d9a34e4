// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

#include "poslab/base/printable.hpp"

namespace poslab::base {

Error::Error(Kind kind_, const std::string& problem, const std::string& hint_)
    : std::runtime_error(hint_.empty() ? problem : problem + "; " + hint_), kind(kind_), hint(hint_) {}

FileError::FileError(std::string path_, const std::string& problem_, const std::string& hint_, Kind kind_)
    : Error(kind_, fmt::format("{}: {}", printable(path_), problem_), hint_),
      path(std::move(path_)),
      problem(problem_) {}

// A read-only file system is not among them: more often the path was wrong.
bool is_disk_error(int error) {
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

Error::Kind kind_of(const std::exception& failure) {
  if (const auto* ours = dynamic_cast<const Error*>(&failure)) return ours->kind;
  const auto* of_system = dynamic_cast<const std::system_error*>(&failure);
  if (!of_system) return Error::Kind::internal;
  const std::error_category& category = of_system->code().category();
  const bool is_errno = category == std::system_category() || category == std::generic_category();
  return is_errno && is_disk_error(of_system->code().value()) ? Error::Kind::disk : Error::Kind::internal;
}

}  // namespace poslab::base
