// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/answer.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <initializer_list>

namespace poslab::data {
namespace {

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool has_interval(const AnswerNumber& number) { return !std::isnan(number.low) && !std::isnan(number.high); }

// The value, with what is known of its error.
std::string value_text(const AnswerNumber& number, ErrorStyle style) {
  if (has_interval(number)) return interval_text(number.value, number.low, number.high);
  const double error = std::isnan(number.error) ? 0 : number.error;
  const MeanAndError mean{1, number.value, error};
  return style == ErrorStyle::last_digit ? compact_text(mean, number.digits) : to_text(mean, number.digits);
}

const char* sign_of(Relation relation) {
  switch (relation) {
    case Relation::below: return "<";
    case Relation::above: return ">";
    case Relation::equal: break;
  }
  return "";
}

// Not as a part of another word.
bool contains_word(const std::string& text, const std::string& word) {
  const auto is_letter = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if (!is_letter(at - 1) && !is_letter(at + word.size())) return true;
  return false;
}

}  // namespace

const char* to_text(Mark mark) {
  switch (mark) {
    case Mark::none: return "none";
    case Mark::yes: return "yes";
    case Mark::no: return "no";
    case Mark::partly: return "partly";
    case Mark::cannot_tell: return "cannot tell";
  }
  return "none";
}

AnswerNumber AnswerNumber::word(std::string text) {
  AnswerNumber number;
  number.before = std::move(text);
  return number;
}

AnswerNumber AnswerNumber::of(const MeanAndError& mean, std::string before) {
  AnswerNumber number;
  number.value = mean.mean;
  if (mean.values > 1) number.error = mean.error;
  number.before = std::move(before);
  return number;
}

AnswerNumber AnswerNumber::exact(double value, int digits, std::string before) {
  AnswerNumber number;
  number.value = value, number.digits = digits;
  number.before = std::move(before);
  return number;
}

AnswerNumber&& AnswerNumber::with_unit(std::string unit) && {
  after = std::move(unit);
  return std::move(*this);
}

AnswerNumber&& AnswerNumber::with_relation(Relation how) && {
  relation = how;
  return std::move(*this);
}

AnswerNumber&& AnswerNumber::with_interval(double lowest, double highest) && {
  low = lowest, high = highest;
  return std::move(*this);
}

bool AnswerNumber::operator==(const AnswerNumber& other) const {
  return same(value, other.value) && same(error, other.error) && same(low, other.low) && same(high, other.high) &&
         relation == other.relation && digits == other.digits && before == other.before && after == other.after;
}

std::string to_text(const AnswerNumber& number, ErrorStyle style) {
  const std::string value = std::isnan(number.value) ? "" : value_text(number, style);
  std::string text;
  for (const std::string& part : {number.before, std::string(sign_of(number.relation)), value, number.after})
    if (!part.empty()) text += (text.empty() ? "" : " ") + part;
  return text;
}

std::string numbers_text(const Answer& answer, ErrorStyle style) {
  std::string text;
  for (const AnswerNumber& number : answer.numbers) text += (text.empty() ? "" : ", ") + to_text(number, style);
  return text;
}

std::set<std::string> words_of(const Answer& answer, const std::string& unit) {
  std::set<std::string> words;
  for (const AnswerNumber& number : answer.numbers) {
    const std::string& after = number.after.empty() && !std::isnan(number.value) ? unit : number.after;
    for (const std::string& word : {number.before, after})
      if (!word.empty()) words.insert(word);
  }
  return words;
}

std::vector<std::string> unexplained(const AnswerColumn& column, const std::set<std::string>& used) {
  std::vector<std::string> unknown;
  for (const std::string& word : used)
    if (!contains_word(column.legend, word) &&
        std::ranges::find(column.words, word, &AnswerWord::word) == column.words.end())
      unknown.push_back(word);
  return unknown;
}

}  // namespace poslab::data
