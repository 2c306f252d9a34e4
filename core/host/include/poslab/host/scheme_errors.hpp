// SPDX-License-Identifier: Apache-2.0
// A scheme that cannot be had from the plugins at hand, breaks a rule of the boundary, or is asked for what it has not.
#pragma once

#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "poslab/base/error.hpp"

namespace poslab::host {

/// No plugin offers it.
base::Error no_such_scheme(std::string id, const std::vector<std::string>& offered);

/// What a plugin declares breaks a rule of plugin.h: in its table, or in an instance it made.
struct Malformed : base::Error {
  enum class What { table, instance };
  Malformed(What what, std::string rule);
  /// The same, said of a scheme.
  Malformed(const std::string& scheme, const Malformed& found);
  What declared;
  std::string rule;
};

/// A call that the caller put together wrongly: another operation, shape or number of arrays than the scheme has.
base::Error wrong_call(std::string where, std::string problem);

/// A plugin's function has found no memory for what it wanted.
struct OutOfMemory : std::bad_alloc {
  explicit OutOfMemory(const std::string& where);
  const char* what() const noexcept override { return message_.c_str(); }
  std::string where;  ///< `scheme "rope", encode`

 private:
  std::string message_;
};

/// The process of a Python file was killed by somebody else, as by the kernel for want of memory. That is no error of
/// the scheme's: who takes a base::Error for one does not see this.
struct ProcessLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace poslab::host
