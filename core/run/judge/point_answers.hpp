// SPDX-License-Identifier: Apache-2.0
// What an experiment answers of one variant at its points, as one: the mark, the numbers, the sentence.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "poslab/data/answer_table.hpp"
#include "poslab/data/outcome.hpp"

namespace poslab::run {

/// Answers of one variant, each with the words that tell its point of the axes from the others: "length = 64".
using PointAnswers = std::vector<std::pair<std::string, data::Answer>>;

/// The facts from which a variant's answer is made.
struct AnswerFacts {
  PointAnswers points;  ///< at which something was measured
  /// Points that have no numbers: how the first of them ended, and how many there are.
  struct Failure {
    data::Status status = data::Status::skipped;
    std::string message, point;
    std::size_t points = 0;
  };
  std::optional<Failure> failure = std::nullopt;
  std::size_t cells = 0, not_run = 0;  ///< all of them, and those of which the run had not come to an end
};

/// Where marks differ it is `partly` (`cannot_tell` if that is one of two), and the sentence says which holds where.
/// The numbers are those of the point `shown`, or of the last where that says nothing or is none of them. Points
/// without mark and number say nothing, and those at which networks learnt nothing do not where others did; they are
/// left out where others say something.
data::Answer answer_of(const AnswerFacts& facts, const std::string& shown);
data::AnswerState state_of(const AnswerFacts& facts);

/// The point of which `answer_of` takes the numbers; empty where there is none.
std::string point_of(const AnswerFacts& facts, const std::string& shown);

/// The point whose numbers a column shows, so that its rows can be compared: one that says something in the row of
/// every variant that says anything, or else in the rows of most; of several one at which marks differ, or else
/// numbers; of several such the last.
std::string common_point(const std::vector<AnswerFacts>& variants);

}  // namespace poslab::run
