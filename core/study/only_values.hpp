// SPDX-License-Identifier: Apache-2.0
// `--only AXIS=VALUE`: a study's experiments at some values of an axis.
#pragma once

#include <string>
#include <vector>

#include "readers/readers.hpp"

namespace poslab::study {

/// Those of `only` that ask for values of an axis: "task=copy".
std::vector<std::string> choices_of_values(const std::vector<std::string>& only);

/// Leaves of every experiment the points that have one of the values chosen for each axis, and no experiment that has
/// none. Mistakes are reported as of the command line.
void keep_values(const std::vector<std::string>& choices, Draft& draft);

}  // namespace poslab::study
