// SPDX-License-Identifier: Apache-2.0
// Whether a study's expectations hold for what was measured.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "poslab/base/cell.hpp"

namespace poslab::run {

/// The outcome of a cell, or nothing if it did not run.
using OutcomeOf = std::function<std::optional<base::Outcome>(std::size_t cell)>;

/// One result per expectation, in order. Asks for outcomes in the order of the cells, once each, and keeps none. Where several cells match, or a curve is not narrowed to one point, all values
/// must hold, and `measured` is the one furthest from the expected value.
std::vector<base::ExpectationResult> judge(const std::vector<base::Expectation>& expectations,
                                           const std::vector<base::Cell>& cells, const OutcomeOf& outcome_of);

}  // namespace poslab::run
