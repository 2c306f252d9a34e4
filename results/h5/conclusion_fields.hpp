// SPDX-License-Identifier: Apache-2.0
// The columns of the groups `answers` and `expectations`, once for the writer and for the reader: each with its name,
// what it holds of an item, and its sentence in the file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>

#include "poslab/data/answer_table.hpp"
#include "poslab/data/expectation.hpp"

namespace poslab::results {

/// `get`: a member, or a function that gives a reference to what is stored. One that gives a value is only written.
template <class Get>
struct Field {
  const char* name;
  Get get;
  const char* sentence;
  const char* earlier_name = nullptr;  ///< in files of schema 1, where it was another

  template <class Item>
  static constexpr bool is_stored = std::is_lvalue_reference_v<std::invoke_result_t<const Get&, Item&>>;
};

/// The last enumerator of what is stored as a flag.
template <class Enum>
inline constexpr Enum last_of{};
template <>
inline constexpr auto last_of<data::Mark> = data::Mark::cannot_tell;
template <>
inline constexpr auto last_of<data::AnswerState> = data::AnswerState::not_run;
template <>
inline constexpr auto last_of<data::Relation> = data::Relation::above;
template <>
inline constexpr auto last_of<data::LegendEntry::Kind> = data::LegendEntry::Kind::point;
template <>
inline constexpr auto last_of<data::SignMeaning::Kind> = data::SignMeaning::Kind::number;
template <>
inline constexpr auto last_of<data::SignMeaning::Form> = data::SignMeaning::Form::compact;
template <>
inline constexpr auto last_of<data::Gate> = data::Gate::last;
template <>
inline constexpr auto last_of<data::OverRepeats> = data::OverRepeats::last;
template <>
inline constexpr auto last_of<data::Verdict> = data::Verdict::not_measured;

/// An item of a list of which each answer, or each column, has its own: with the number of its owner.
template <class Item>
struct Owned {
  std::int64_t owner = 0;
  Item item = {};
};
using OwnedNumber = Owned<data::AnswerNumber>;
using OwnedEntry = Owned<data::LegendEntry>;
using OwnedTraining = Owned<std::string>;

template <class Item, class Member>
constexpr auto member_of_item(Member Item::*member) {
  return [member](auto& owned) -> auto& { return owned.item.*member; };
}

template <class Member>
constexpr auto member_of_answer(Member data::Answer::*member) {
  return [member](auto& one) -> auto& { return one.answer.*member; };
}
inline std::string sign_text(const data::VariantAnswer& one) { return data::sign_of(one.answer.mark); }
inline std::string number_text(const data::VariantAnswer& one) { return data::numbers_text(one.answer); }

inline constexpr std::tuple column_fields{
    Field{"asked", &data::TableColumn::experiment, "experiment that asks"},
    Field{"heading", &data::TableColumn::heading, "heading of the column"},
    Field{"unit", &data::TableColumn::unit, "unit of its numbers"},
    Field{"legend", &data::TableColumn::legend_text, "what mark and number say, with every word beside them"},
    Field{"column_point", &data::TableColumn::point, "where its numbers were measured, but those that say another"},
    Field{"describes", &data::TableColumn::is_description, "1: its marks describe and do not judge"}};

inline constexpr std::tuple answer_fields{
    Field{"experiment", &data::VariantAnswer::experiment, "experiment"},
    Field{"variant", &data::VariantAnswer::variant, "scheme with the parameters that the study sets or varies"},
    Field{"mark", member_of_answer(&data::Answer::mark), "what the answer comes to"},
    Field{"sign", sign_text, "what stands for the mark"},
    Field{"text", &data::VariantAnswer::text, "what stands behind the sign in the table"},
    Field{"compact", &data::VariantAnswer::compact, "the same, with errors in units of the last digit"},
    Field{"number", number_text, "its numbers alone, in the column's unit"},
    Field{"sentence", member_of_answer(&data::Answer::sentence), "the answer in full"},
    Field{"needs_reason", &data::VariantAnswer::needs_reason,
          "1: there is neither a mark nor a number, and the sentence says why"},
    Field{"untrained", &data::VariantAnswer::untrained, "1: of weights as they are drawn at initialisation"},
    Field{"state", &data::VariantAnswer::state, "how it comes that there is an answer, or none"},
    Field{"point", &data::VariantAnswer::point,
          "where its numbers were measured, of several points that its mark is about"}};

inline constexpr std::tuple number_fields{
    Field{"answer_index", &OwnedNumber::owner, "answer to which it belongs", "of_answer"},
    Field{"value", member_of_item(&data::AnswerNumber::value),
          "value, in the column's unit unless `after` says another; NaN: a word only"},
    Field{"error", member_of_item(&data::AnswerNumber::error),
          "standard error of the mean; NaN: of one repeat, or nothing was drawn"},
    Field{"low", member_of_item(&data::AnswerNumber::low),
          "lower end of the interval by which the mark was given; NaN: value - t error"},
    Field{"high", member_of_item(&data::AnswerNumber::high),
          "upper end of the interval by which the mark was given; NaN: value + t error"},
    Field{"relation", member_of_item(&data::AnswerNumber::relation), "how the true number lies to the value"},
    Field{"digits", member_of_item(&data::AnswerNumber::digits), "significant digits, where no error says how many"},
    Field{"before", member_of_item(&data::AnswerNumber::before), "what the number is"},
    Field{"after", member_of_item(&data::AnswerNumber::after), "its unit, where that is not the column's"}};

inline constexpr std::tuple training_fields{
    Field{"answer_index", &OwnedTraining::owner, "answer to which it belongs", "of_answer"},
    Field{"note", &OwnedTraining::item, "on what weights were trained, or from where they were given"}};

inline constexpr std::tuple row_fields{
    Field{"variant", &data::TableRow::variant, "scheme with the parameters that the study sets or varies"},
    Field{"signs", &data::TableRow::signs, "signs behind its name"}};

inline constexpr std::tuple legend_fields{
    Field{"column_index", &OwnedEntry::owner, "column to which it belongs"},
    Field{"kind", member_of_item(&data::LegendEntry::kind), "what it explains"},
    Field{"word", member_of_item(&data::LegendEntry::word), "word that it explains"},
    Field{"meaning", member_of_item(&data::LegendEntry::meaning), "what that means"},
    Field{"text", member_of_item(&data::LegendEntry::text), "the entry in full"}};

inline constexpr std::tuple sign_fields{
    Field{"sign", &data::SignMeaning::sign, "sign in the table"},
    Field{"kind", &data::SignMeaning::kind, "where it stands"},
    Field{"form", &data::SignMeaning::form, "texts of cells with which it is used"},
    Field{"meaning", &data::SignMeaning::meaning, "what it means, for a line below the table"},
    Field{"sentence", &data::SignMeaning::sentence, "the same in full"}};

template <class Member>
constexpr auto member_of_expectation(Member data::Expectation::*member) {
  return [member](auto& result) -> auto& { return result.expectation.*member; };
}
inline double difference(const data::ExpectationResult& result) { return result.measured - result.expectation.value; }
inline std::string verdict_sign(const data::ExpectationResult& result) { return data::sign_of(result.verdict); }

inline constexpr std::tuple expectation_fields{
    Field{"experiment", member_of_expectation(&data::Expectation::experiment), "experiment"},
    Field{"measure", member_of_expectation(&data::Expectation::measure), "measure"},
    Field{"where", member_of_expectation(&data::Expectation::where), "which cells it speaks of, as JSON"},
    Field{"value", member_of_expectation(&data::Expectation::value), "expected value, in the measure's unit"},
    Field{"tolerance", member_of_expectation(&data::Expectation::tolerance), "greatest absolute difference that holds"},
    Field{"gate", member_of_expectation(&data::Expectation::gate),
          "whether the value is expected within the tolerance, or bounds what is expected"},
    Field{"repeats", member_of_expectation(&data::Expectation::repeats),
          "whether each repeat is judged by itself, or their mean"},
    Field{"minus", member_of_expectation(&data::Expectation::minus),
          "which cells are subtracted, as JSON; {} for none"},
    Field{"measured", &data::ExpectationResult::measured, "measured value that is furthest from the expected one"},
    Field{"error", &data::ExpectationResult::error,
          "standard error of the measured value, where it is a mean of repeats"},
    Field{"difference", difference, "measured minus expected"},
    Field{"matches", &data::ExpectationResult::matches, "cells that it speaks of"},
    Field{"verdict", &data::ExpectationResult::verdict, "whether it holds"},
    Field{"sign", verdict_sign, "what stands for the verdict"},
    Field{"subject", &data::ExpectationResult::subject, "which values it speaks of, in words"},
    Field{"expected", &data::ExpectationResult::expected, "what is expected, in words"},
    Field{"measured_text", &data::ExpectationResult::measured_text, "the measured value in words, with its error"},
    Field{"message", &data::ExpectationResult::message, "why not, or a note"},
    Field{"source", member_of_expectation(&data::Expectation::source), "where the value comes from"},
    Field{"line", member_of_expectation(&data::Expectation::line), "line of the study"}};

}  // namespace poslab::results
