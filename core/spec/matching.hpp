// SPDX-License-Identifier: Apache-2.0
// Which cells a condition or an expectation speaks of.
#pragma once

#include "poslab/base/cell.hpp"
#include "poslab/spec/study.hpp"

namespace poslab::spec {

/// Whether a condition of a skip holds for a cell. One on a parameter that the cell's scheme has not never holds.
bool holds(const Condition& condition, const base::Cell& cell);

/// Empty if some cell of the study is one that the expectation speaks of; else why none is. Expands nothing.
std::string why_unmatched(const base::Expectation& expectation, const Study& study, const base::Catalogue& catalogue);

}  // namespace poslab::spec
