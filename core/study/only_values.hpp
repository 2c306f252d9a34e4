// SPDX-License-Identifier: Apache-2.0
// `--only AXIS=VALUE`: a study's experiments at some values of an axis.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "readers/readers.hpp"

namespace poslab::study {

/// Leaves of every experiment the points that have, for each axis in `chosen`, one of the values given for it, and no
/// experiment that has none. Mistakes are reported as of the command line.
void keep_values(const std::vector<std::pair<std::string, std::string>>& chosen, Draft& draft);

}  // namespace poslab::study
