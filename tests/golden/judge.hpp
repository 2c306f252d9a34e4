// SPDX-License-Identifier: Apache-2.0
// Whether our numbers agree with a golden dataset, and how far apart they are at most.
#pragma once

#include <string>

#include "golden_run.hpp"
#include "poslab/host/library.hpp"

namespace poslab::golden {

struct Distance {
  double largest = 0;   ///< the largest |ours - theirs|; infinity where one is finite and the other is not
  std::string problem;  ///< not empty: they cannot be compared
};

/// `how` is the output's rule: `triangle`, `row_constant`, `factor`, `leave_out_row` (see the table).
Distance distance(const Facts& facts, const Numbers& ours, const Dataset& theirs, const Json& how);

enum class Fate { agreed, differed, not_offered, cannot_be_expressed, unknown };

struct Result {
  Fate fate = Fate::unknown;
  std::string text;  ///< agreed: with what and how closely; else why not
};

/// Runs one case through the table and compares every output, in both precisions.
Result examine(const Case& golden, const Table& table, const host::Library& library);

}  // namespace poslab::golden
