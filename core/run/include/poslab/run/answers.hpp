// SPDX-License-Identifier: Apache-2.0
// What the cells of a run answer, variant by variant: the table that a run ends with.
#pragma once

#include <vector>

#include "poslab/data/answer_table.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/families.hpp"
#include "poslab/run/expectations.hpp"

namespace poslab::run {

/// Reads outcomes in the order of the cells, once each, and keeps those of one variant at one point. Experiments that
/// have no answer, or that this build does not have, have no column. `families`: for how many answers the marks of an
/// experiment are corrected (study::families_of); for as many as there are where that is more.
data::AnswerTable answer_table(const std::vector<data::Cell>& cells, const OutcomeOf& outcome_of,
                               const data::Families& families);

}  // namespace poslab::run
