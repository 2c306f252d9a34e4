// SPDX-License-Identifier: Apache-2.0
// Whether a study's expectations hold for what was measured.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "poslab/data/cell.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/outcome.hpp"

namespace poslab::run {

/// The outcome of a cell, or nothing if it did not run.
using OutcomeOf = std::function<std::optional<data::Outcome>(std::size_t cell)>;

/// One result per expectation, in order. Reads outcomes in the order of the cells, once each, and keeps none. Where
/// several cells match, or a curve is not narrowed to one point, all values must hold, and `measured` is the one
/// furthest from the expected value.
std::vector<data::ExpectationResult> judge(const std::vector<data::Expectation>& expectations,
                                           const std::vector<data::Cell>& cells, const OutcomeOf& outcome_of);

}  // namespace poslab::run
