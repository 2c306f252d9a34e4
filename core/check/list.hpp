// SPDX-License-Identifier: Apache-2.0
// The table of all checks.
#pragma once

#include <string>
#include <vector>

#include "trial.hpp"

namespace poslab::check {

/// A check: its body returns the sentence of success, or throws Failed or NotPerformed.
struct Check {
  const char* name;
  const char* sentence;
  std::string (*body)(Trial&);
  bool is_gate = false;  ///< later checks rest on it
};
/// In the order in which they are performed.
const std::vector<Check>& checks();

}  // namespace poslab::check
