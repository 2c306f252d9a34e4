// SPDX-License-Identifier: Apache-2.0
// What an experiment says of a variant: one cell of the table that a run ends with.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace poslab::data {

enum class Mark : std::uint8_t {
  none = 0,  ///< a number that is neither good nor bad, or no number at all
  yes = 1,
  no = 2,
  partly = 3,      ///< of a part only, or at some points and not at others
  cannot_tell = 4  ///< the error is too large for a yes or a no
};
const char* to_text(Mark mark);

struct Answer {
  Mark mark = Mark::none;
  std::string number;    ///< what fits into a table, without its unit: "1.42 ± 0.03"
  std::string sentence;  ///< the same in full, with unit and condition
};

/// The column of an experiment in the table of answers.
struct AnswerColumn {
  std::string heading;  ///< "relative"
  std::string unit;     ///< of the numbers: "rms", "sd"; empty: none
  /// What mark and number say, in some 90 characters; what comes before the first semicolon says it in short.
  std::string legend;
  bool operator==(const AnswerColumn&) const = default;
};

/// A cell of the table.
struct VariantAnswer {
  std::string variant;     ///< its label
  std::string experiment;  ///< id
  Answer answer;
  bool untrained = false;    ///< of weights as they are drawn
  std::string trained = {};  ///< of trained ones: what the outcomes say of them, "trained on copy, 2000 steps"
};

/// The table: a row for each variant, a column for each experiment, both in the study's order. Where an experiment was
/// not asked of a variant there is no answer.
struct AnswerTable {
  std::vector<std::pair<std::string, AnswerColumn>> columns;  ///< by the experiment's id
  std::vector<VariantAnswer> answers;
};

}  // namespace poslab::data
