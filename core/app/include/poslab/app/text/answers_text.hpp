// SPDX-License-Identifier: Apache-2.0
// The table of answers: a line for each variant, a column for each question.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "poslab/app/text/summary.hpp"

namespace poslab::app {

/// What provenance adds to a table.
struct TableNotes {
  std::map<std::string, std::string> doubts;  ///< of a variant's plugin, by its label; none: it keeps its promises
  std::vector<std::string> weights_files;     ///< where the trained weights are from
};

/// With a legend, in short where it would be long and `style` is not verbose. Empty if nothing was answered. A name
/// that is too long has a line of its own; columns that do not fit continue below.
StyledText answers_text(const data::AnswerTable& table, const SummaryStyle& style, const TableNotes& notes = {});
/// Every answer in full, by question.
StyledText sentences_text(const data::AnswerTable& table, const SummaryStyle& style);
/// What a dagger at a name means: the notes on trained weights, each once; empty if there is none.
std::string trained_text(const std::vector<std::string>& notes, std::size_t width,
                         const std::vector<std::string>& weights_files = {});
/// The label without parameters that are unset: they only tell it from other variants of the scheme.
std::string short_label(const std::string& variant);

}  // namespace poslab::app
