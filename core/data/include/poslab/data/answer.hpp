// SPDX-License-Identifier: Apache-2.0
// What an experiment says of a variant at a point of its axes, and the column that it declares for its answers.
#pragma once

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "poslab/data/mean_and_error.hpp"

namespace poslab::data {

enum class Mark : std::uint8_t {
  none = 0,  ///< a number that is neither good nor bad, or no number at all
  yes = 1,
  no = 2,
  partly = 3,      ///< of a part only, or at some points and not at others
  cannot_tell = 4  ///< the error is too large for a yes or a no
};
const char* to_text(Mark mark);

/// How the true number lies to the one that is given.
enum class Relation : std::uint8_t { equal = 0, below = 1, above = 2 };

/// A number of an answer, in the unit of its column; the facts, which `to_text` writes. One without a value is a word.
struct AnswerNumber {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  double value = unknown;
  double error = unknown;  ///< standard error of the mean; NaN: of one repeat, or there is nothing that was drawn
  /// The interval by which the mark was given, where it is not symmetric about the value, as one of a logarithm; or
  /// NaN.
  double low = unknown, high = unknown;
  Relation relation = Relation::equal;
  int digits = 3;           ///< significant ones, where no error says how many there are
  std::string before = {};  ///< what it is, where the column's heading does not say so: "x", "drift", "unseen at"
  std::string after = {};   ///< its unit, where that is not the column's: "sd", "bf16"

  static AnswerNumber word(std::string text);  ///< "refused"
  static AnswerNumber of(const MeanAndError& mean, std::string before = {});
  static AnswerNumber exact(double value, int digits = 12, std::string before = {});

  AnswerNumber&& with_unit(std::string unit) &&;
  AnswerNumber&& with_relation(Relation how) &&;
  AnswerNumber&& with_interval(double lowest, double highest) &&;
  bool operator==(const AnswerNumber&) const;  ///< NaN equals NaN
};

/// How an error stands beside its number: "1.42 ± 0.03", or in units of the last digit, "1.42(3)".
enum class ErrorStyle : std::uint8_t { plus_minus, last_digit };

/// "x 1.42 ± 0.03", "unseen at 256", "> 255", "refused".
std::string to_text(const AnswerNumber& number, ErrorStyle style = ErrorStyle::plus_minus);

struct Answer {
  Mark mark = Mark::none;
  std::vector<AnswerNumber> numbers = {};  ///< what fits into a table, the one that the mark is about first
  std::string sentence = {};               ///< the same in full, with unit and condition
  bool is_untaught = false;                ///< networks learnt nothing of which it could be asked

  bool says_nothing() const { return mark == Mark::none && numbers.empty(); }
};

/// All numbers of an answer, separated by commas.
std::string numbers_text(const Answer& answer, ErrorStyle style = ErrorStyle::plus_minus);

/// The units and words that stand beside the numbers of an answer; a number that has none is in the unit of its column.
std::set<std::string> words_of(const Answer& answer, const std::string& unit);

/// A unit or a word that may stand beside a number, and what it says: "bf16", "left once stored as bfloat16".
struct AnswerWord {
  std::string word, meaning;
  bool operator==(const AnswerWord&) const = default;
};

/// The column of an experiment in the table of answers.
struct AnswerColumn {
  std::string heading;  ///< "relative"
  std::string unit;     ///< of the numbers: "rms", "sd"; empty: none
  std::string legend;   ///< what mark and number say, in some 90 characters
  /// The column's unit, where the legend does not tell what it is, and all words that an answer may print.
  std::vector<AnswerWord> words = {};
  bool is_description = false;  ///< a yes is not good, nor a no bad: marks have no colour
  bool operator==(const AnswerColumn&) const = default;
};

/// The words of `used` that neither the column's legend nor its words explain.
std::vector<std::string> unexplained(const AnswerColumn& column, const std::set<std::string>& used);

}  // namespace poslab::data
