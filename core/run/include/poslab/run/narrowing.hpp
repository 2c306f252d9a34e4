// SPDX-License-Identifier: Apache-2.0
// A run that leaves fewer cells in a results file than are in it, as with --only.
#pragma once

#include <cstddef>
#include <optional>

#include "poslab/run/prepare.hpp"

namespace poslab::run {

/// For how many cells the results file was made, by its journal, if this run asks for fewer. The others stay in the
/// journal, so it is no mistake; but whoever reads the file afterwards misses them.
std::optional<std::size_t> wider_before(const PreparedRun& run);

}  // namespace poslab::run
