// SPDX-License-Identifier: Apache-2.0
// What the cells of a run answer, variant by variant: the table that a run ends with.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "poslab/data/answer.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/families.hpp"
#include "poslab/run/expectations.hpp"

namespace poslab::run {

/// Reads outcomes in the order of the cells, once each, and keeps those of one variant at one point. Experiments that
/// have no answer, or that this build does not have, have no column. `families`: for how many answers the marks of an
/// experiment are corrected (study::families_of); for as many as there are where that is more.
data::AnswerTable answer_table(const std::vector<data::Cell>& cells, const OutcomeOf& outcome_of,
                               const data::Families& families);

/// Answers of one variant, each with the words that tell its point of the axes from the others: "length = 64".
using PointAnswers = std::vector<std::pair<std::string, data::Answer>>;

/// As one: where marks differ it is `partly` (`cannot_tell` if that is one of two), and says which holds where; the
/// numbers are those of the point `shown`, or of the last where that says nothing or is none of them. Points without
/// mark and number say nothing, and those at which networks learnt nothing do not where others did; they are left out
/// where others say something. Precondition: not empty.
data::Answer joined(const PointAnswers& points, const std::string& shown);

/// The point whose numbers a column shows, so that its rows can be compared: one that says something in the row of
/// every variant that says anything, or else in the rows of most; of several one at which marks differ, or else
/// numbers; of several such the last.
std::string common_point(const std::vector<PointAnswers>& variants);

}  // namespace poslab::run
