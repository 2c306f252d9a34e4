// SPDX-License-Identifier: Apache-2.0
// The table that a run ends with, made once: what stands in its cells, and what its columns, rows and signs mean.
// Terminal, report, gallery, notebook and page lay it out, from memory or from the results file.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "poslab/data/answer.hpp"

namespace poslab::data {

/// Why a cell of the table has an answer, or none.
enum class AnswerState : std::uint8_t {
  answered = 0,
  nothing_to_answer = 1,  ///< it was measured, and the experiment says nothing of it
  skipped = 2,            ///< the experiment does not apply
  failed = 3,             ///< or crashed, or took too long
  not_run = 4
};
const char* to_text(AnswerState state);

/// A cell of the table. `answer_table` makes the last three members.
struct VariantAnswer {
  std::string variant;     ///< its label
  std::string experiment;  ///< id
  Answer answer;
  bool untrained = false;  ///< of weights as they are drawn
  /// Trained ones: what the outcomes say of them, each once: "trained on copy, 2000 steps".
  std::vector<std::string> trained = {};
  AnswerState state = AnswerState::answered;
  /// Where its numbers were measured, if its experiment was asked at several points: "mask = causal". As far as it is
  /// possible the same for all variants. The mark is about every point.
  std::string point = {};
  /// What stands behind the mark: "1.42 ± 0.03 at mask = causal", "not run", "–". Compact: "1.42(3) at mask = causal".
  std::string text = {}, compact = {};
  bool needs_reason = false;  ///< there is neither a mark nor a number, and the sentence says why
};

/// An item of a column's legend.
struct LegendEntry {
  enum class Kind : std::uint8_t {
    column = 0,  ///< what mark and number say
    word = 1,    ///< what a word or a unit beside the numbers means
    point = 2    ///< where the numbers were measured
  };
  Kind kind = Kind::column;
  std::string word, meaning;
  std::string text;  ///< in full: "bf16: left once stored as bfloat16", "numbers at length = 64"
  bool operator==(const LegendEntry&) const = default;
};
const char* to_text(LegendEntry::Kind kind);

struct TableColumn {
  std::string experiment;  ///< that asks; its id
  std::string heading, unit;
  bool is_description = false;  ///< a yes is not good, nor a no bad: marks have no colour
  std::string point;            ///< where its numbers were measured, but those of rows that say another; or empty
  std::vector<LegendEntry> legend;

  std::string legend_text() const;  ///< all entries, with a semicolon between them
  bool operator==(const TableColumn&) const = default;
};

struct TableRow {
  std::string variant;
  std::string signs;  ///< behind its name, with blanks between them: "* †"
  bool operator==(const TableRow&) const = default;
};

/// What a sign means that stands in the table.
struct SignMeaning {
  enum class Kind : std::uint8_t {
    mark = 0,
    cell = 1,   ///< in place of an answer: "–", "·"
    name = 2,   ///< behind a name: "*", "†"
    number = 3  ///< beside a number: "±", "1.42(3)", "[ ]", ">", "<", "1e-04"
  };
  enum class Form : std::uint8_t { both = 0, text = 1, compact = 2 };  ///< of the cells beside which it is used
  std::string sign;
  Kind kind = Kind::mark;
  Form form = Form::both;
  std::string meaning;   ///< for a line below the table: "untrained weights"
  std::string sentence;  ///< for a page
  bool operator==(const SignMeaning&) const = default;
};
const char* to_text(SignMeaning::Kind kind);
const char* to_text(SignMeaning::Form form);
const char* to_text(Relation relation);

/// Rows and columns are in the study's order. Where an experiment was not asked of a variant there is no answer.
struct AnswerTable {
  std::vector<TableColumn> columns = {};
  std::vector<VariantAnswer> answers = {};
  std::vector<TableRow> rows = {};
  std::vector<SignMeaning> signs = {};  ///< those that are used, in the order in which they are explained
};

inline constexpr const char *no_answer_sign = "–", *not_asked_sign = "·", *untrained_sign = "*", *trained_sign = "†",
                            *not_run_text = "not run";
const char* sign_of(Mark mark);     ///< "✓"; empty for none
const char* meaning_of(Mark mark);  ///< "yes", "in part"

/// What a column is made from.
struct AskedColumn {
  std::string experiment;  ///< id
  AnswerColumn declared;
  std::string point = {};  ///< TableColumn::point
};

/// With the words that stand in place of a number where cells failed.
AskedColumn asked_column(const std::string& experiment, AnswerColumn declared, const std::string& point);

/// Lays out the answers of a run: texts of cells, legends with the words that are used, rows and signs.
AnswerTable answer_table(const std::vector<AskedColumn>& columns, std::vector<VariantAnswer> answers);

}  // namespace poslab::data
