// SPDX-License-Identifier: Apache-2.0
// What `poslab compare` says.
#pragma once

#include <string>

#include "poslab/results/compare.hpp"

namespace poslab::app {

struct ComparedFiles {
  std::string first, second;
  bool exact = false;
};

/// A line for each measure that differs, under its experiment, with the worst of its cells; with `verbose` a line for
/// each cell. Then why cells have no partner, and the sum of all.
std::string compare_text(const results::Comparison& comparison, const ComparedFiles& files, bool verbose);

}  // namespace poslab::app
