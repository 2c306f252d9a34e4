// SPDX-License-Identifier: Apache-2.0
// What the cells of a run answer, variant by variant: the table that a run ends with.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "poslab/data/answer.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/run/expectations.hpp"

namespace poslab::run {

/// Reads outcomes in the order of the cells, once each, and keeps those of one variant at one point. Experiments that
/// have no answer, or that this build does not have, have no column.
data::AnswerTable answer_table(const std::vector<data::Cell>& cells, const OutcomeOf& outcome_of);

/// An answer at each point of the axes of one variant, with the words that tell the point from the others
/// ("length = 64"), as one: where marks differ it is `partly` (`cannot_tell` if that is one of two), and says which
/// holds where; the number is that of the last point. Points without mark and number say nothing, and are left out
/// where others say something. Precondition: not empty.
data::Answer joined(const std::vector<std::pair<std::string, data::Answer>>& points);

}  // namespace poslab::run
