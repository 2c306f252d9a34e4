// SPDX-License-Identifier: Apache-2.0
// What `poslab verify` says: published | here | difference | verdict.
#pragma once

#include <string>
#include <vector>

#include "poslab/run/published.hpp"

namespace poslab::app {

/// A heading for each study, below it a line for each expectation; at the end how many hold, and what is out of reach.
std::string verify_text(const std::vector<run::Verification>& all);

}  // namespace poslab::app
