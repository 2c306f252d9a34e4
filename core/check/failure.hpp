// SPDX-License-Identifier: Apache-2.0
// Why a check does not pass. These errors stay within the child.
#pragma once

#include <fmt/format.h>

#include <string>

#include "poslab/base/error.hpp"

namespace poslab::check {

/// The plugin is wrong.
struct Failed : base::Error {
  explicit Failed(const std::string& what_is_wrong, const std::string& of_variant = "")
      : Error(of_variant.empty() ? what_is_wrong : of_variant + ": " + what_is_wrong),
        reason(what_is_wrong),
        variant(of_variant) {}
  std::string reason;
  std::string variant;  ///< its label; empty: not a matter of one variant
};

/// There is nothing to check.
struct NotPerformed : base::Error {
  explicit NotPerformed(const std::string& why) : Error(why), reason(why) {}
  std::string reason;
};

inline base::Error no_such_check(const std::string& check) {
  return {base::Error::Kind::request, fmt::format("there is no check \"{}\"", check),
          "`poslab check --list` names them"};
}

/// The system, not the plugin: address space for guard pages is used up.
struct NoGuardPages : base::Error {
  explicit NoGuardPages(std::size_t wanted)
      : Error(fmt::format("no {} bytes of address space for guard pages around an array; is there a limit (ulimit -v)?",
                          wanted)),
        bytes(wanted) {}
  std::size_t bytes;
};

}  // namespace poslab::check
