// SPDX-License-Identifier: Apache-2.0
// Whether what the study expects was measured.
#pragma once

#include <string>
#include <vector>

#include "poslab/data/expectation.hpp"

namespace poslab::app {

/// How many hold, and each that does not; with `verbose` each.
std::string expectations_text(const std::vector<data::ExpectationResult>& expectations, bool verbose);

}  // namespace poslab::app
