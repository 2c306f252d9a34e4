// SPDX-License-Identifier: Apache-2.0
// Why a check does not pass. These errors stay within the child.
#pragma once

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

/// There is nothing to check, or the system, not the plugin, is in the way.
struct NotPerformed : base::Error {
  using Error::Error;
};

}  // namespace poslab::check
