// SPDX-License-Identifier: Apache-2.0
// Parameters: each binds a member of the scheme to its name, default, range and sentence.
//   static constexpr std::tuple params{
//       real(&Rope::base, "base", 1e4, above(1), "longest wavelength over 2 pi, about"),
//       choice(&Rope::pairing, "style", styles, "which two channels are rotated together")};
// Numbers that models have are declared with it: real(...).usual({1e4, 5e5, 1e6}).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

#include "poslab/plugin.h"

namespace poslab {

/// Where a number may lie. `above(0).at_most(1)` is (0, 1].
struct Range {
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  bool above_lowest = false, below_highest = false;
  constexpr Range at_most(double x) const { return {lowest, x, above_lowest, false}; }
  constexpr Range below(double x) const { return {lowest, x, above_lowest, true}; }
};
inline constexpr Range any_number{};
constexpr Range above(double x) { return {x, any_number.highest, true, false}; }
constexpr Range at_least(double x) { return {x, any_number.highest, false, false}; }
constexpr Range below(double x) { return any_number.below(x); }
constexpr Range at_most(double x) { return any_number.at_most(x); }
constexpr Range between(double x, double y) { return {x, y, false, false}; }  ///< both ends allowed

/// The default of a std::optional member that a study need not set.
struct Unset {};
inline constexpr Unset unset{};

/// What a parameter does, for programs that must know it without its name: enum poslab_role.
enum class Role {
  base = POSLAB_ROLE_BASE,
  factor = POSLAB_ROLE_FACTOR,
  start = POSLAB_ROLE_START,
  rotary_width = POSLAB_ROLE_ROTARY_WIDTH,
  planes = POSLAB_ROLE_PLANES,
  pairing = POSLAB_ROLE_PAIRING
};

/// Bases and temperatures of frequencies in use: Su's; Llama 3 and Qwen 2; long Llamas, Mistral, Gemma 3; gpt-oss;
/// Command; ViT.
inline constexpr double usual_bases[] = {1e4, 5e5,   1e6, 100, 10,   1.5e5, 1.6e5, 5e6, 1e7, 8e6, 4e6,
                                         8e5, 2.5e5, 1e5, 1e3, 25e3, 4e4,   5e4,   500, 50,  1e8};

/// 1, 2 ... `last`: `integer(...).usual(whole_numbers<64>)`.
template <std::size_t last>
inline constexpr std::array<double, last> whole_numbers = [] {
  std::array<double, last> numbers{};
  for (std::size_t i = 0; i < last; ++i) numbers[i] = static_cast<double>(i + 1);
  return numbers;
}();

namespace sdk {
/// Not constexpr, so that the compiler stops where it is called, and names it.
inline void usual_number_is_outside_the_range() {}
}  // namespace sdk

/// One declared parameter of `Scheme`, kept in a `Member` of it, with its usual numbers as plugin.h has them.
template <class Scheme, class Member, std::size_t usual_count = 0>
struct Parameter {
  Member Scheme::*member;
  poslab_parameter row;
  std::array<double, usual_count> numbers{};

  /// With a unit: `integer(...).in("position")`.
  constexpr Parameter in(const char* unit) const {
    Parameter result = *this;
    result.row.unit = unit;
    return result;
  }
  /// With a role: `real(...).as(Role::base)`.
  constexpr Parameter as(Role role) const {
    Parameter result = *this;
    result.row.role = static_cast<std::int32_t>(role);
    return result;
  }
  /// With numbers that models in use have, the likeliest first: `real(...).usual({1e4, 5e5})`.
  template <std::size_t count>
  constexpr auto usual(const double (&list)[count]) const {
    auto result = with_room_for<count>();
    std::size_t at = usual_count;
    for (const double x : list) result.numbers[at++] = checked(x);
    return result;
  }
  template <std::size_t count>
  constexpr auto usual(const std::array<double, count>& list) const {
    auto result = with_room_for<count>();
    std::size_t at = usual_count;
    for (const double x : list) result.numbers[at++] = checked(x);
    return result;
  }
  /// For a list, with whole lists: `list(...).usual({{16, 24, 24}, {8, 12, 12}})`.
  template <std::size_t count, std::size_t length>
  constexpr auto usual(const double (&lists)[count][length]) const {
    auto result = with_room_for<count*(length + 1)>();
    std::size_t at = usual_count;
    for (const auto& list : lists) {
      for (const double x : list) result.numbers[at++] = checked(x);
      result.numbers[at++] = std::numeric_limits<double>::quiet_NaN();
    }
    return result;
  }

 private:
  template <std::size_t more>
  constexpr auto with_room_for() const {
    Parameter<Scheme, Member, usual_count + more> result{member, row};
    for (std::size_t i = 0; i < usual_count; ++i) result.numbers[i] = numbers[i];
    return result;
  }
  constexpr double checked(double x) const {
    const bool is_in_range = (row.above_lowest ? x > row.lowest : x >= row.lowest) &&
                             (row.below_highest ? x < row.highest : x <= row.highest);
    if (!is_in_range) sdk::usual_number_is_outside_the_range();
    return x;
  }
};

namespace sdk {

template <class Member>
struct ValueOf {
  using type = Member;
  static constexpr bool optional = false;
};
template <class Value>
struct ValueOf<std::optional<Value>> {
  using type = Value;
  static constexpr bool optional = true;
};
template <class Member>
using value_of = typename ValueOf<Member>::type;

template <class Member>
constexpr poslab_parameter parameter_row(poslab_kind kind, const char* name, Range range, const char* sentence) {
  poslab_parameter row{};
  row.size = sizeof row;
  row.kind = kind;
  row.name = name;
  row.unit = "1";
  row.sentence = sentence;
  row.lowest = range.lowest;
  row.highest = range.highest;
  row.above_lowest = range.above_lowest;
  row.below_highest = range.below_highest;
  row.may_be_unset = ValueOf<Member>::optional;
  row.default_number = std::numeric_limits<double>::quiet_NaN();
  return row;
}

template <class Scheme, class Member>
constexpr auto number(poslab_kind kind, Member Scheme::*member, const char* name, double fallback, Range range,
                      const char* sentence) {
  Parameter<Scheme, Member> parameter{member, parameter_row<Member>(kind, name, range, sentence)};
  parameter.row.default_number = fallback;
  return parameter;
}

template <class Scheme, class Member>
constexpr auto name_of_many(Member Scheme::*member, const char* name, const char* const* choices, std::size_t count,
                            int fallback, const char* sentence) {
  Parameter<Scheme, Member> parameter{member, parameter_row<Member>(POSLAB_CHOICE, name, any_number, sentence)};
  parameter.row.choices = choices;
  parameter.row.choice_count = static_cast<std::int64_t>(count);
  parameter.row.default_choice = fallback;
  return parameter;
}

/// The member that a parameter binds (of a base of the scheme, maybe), set from what the host passed.
template <class Scheme, class Base, class Member, std::size_t usual_count>
void bind(Scheme& scheme, const Parameter<Base, Member, usual_count>& parameter, const poslab_value& value) {
  using Value = value_of<Member>;
  Member& member = scheme.*parameter.member;
  if (!value.is_set) return;
  switch (parameter.row.kind) {
    case POSLAB_REAL:
      if constexpr (std::is_same_v<Value, double>) member = value.real;
      break;
    case POSLAB_INTEGER:
      if constexpr (std::is_integral_v<Value>) member = static_cast<Value>(value.integer);
      break;
    case POSLAB_LIST:
      if constexpr (std::is_same_v<Value, std::vector<double>>)
        member = Value(value.list, value.list + value.list_count);
      break;
    default:
      if constexpr (std::is_enum_v<Value> || std::is_integral_v<Value>) member = static_cast<Value>(value.choice);
  }
}

/// Whether somebody has written (&Scheme::member, name, default, range, sentence), the default a `Fallback` or `unset`.
template <class... Given>
inline constexpr bool is_number_row = false;
template <class Fallback, class Scheme, class Member, class Name, class Given, class Within, class Sentence>
inline constexpr bool is_number_row<Fallback, Member Scheme::*, Name, Given, Within, Sentence> =
    std::is_convertible_v<Name, const char*>&& std::is_convertible_v<Within, Range>&& std::is_convertible_v<
        Sentence, const char*> &&
    (std::is_same_v<Given, Unset> ||
     (std::is_integral_v<Fallback> ? std::is_integral_v<Given> : std::is_convertible_v<Given, Fallback>));

}  // namespace sdk

/// A number: a `double` member, or a `std::optional<double>` whose default may be `unset`.
template <class Scheme, class Member>
constexpr auto real(Member Scheme::*member, const char* name, double fallback, Range range, const char* sentence) {
  static_assert(std::is_same_v<sdk::value_of<Member>, double>,
                "real(&Scheme::member, ...) needs a member of type double or std::optional<double>");
  return sdk::number(POSLAB_REAL, member, name, fallback, range, sentence);
}
template <class Scheme, class Member>
constexpr auto real(Member Scheme::*member, const char* name, Unset, Range range, const char* sentence) {
  static_assert(sdk::ValueOf<Member>::optional, "a parameter that may be unset needs a std::optional member");
  return real(member, name, std::numeric_limits<double>::quiet_NaN(), range, sentence);
}

template <class... Given>
requires(!sdk::is_number_row<double, std::decay_t<Given>...>) constexpr int real(Given&&...) {
  static_assert(sizeof...(Given) == ~0U,
                "a parameter is written real(&Scheme::member, \"name\", 1.0, above(0), \"a sentence\"), in this order");
  return 0;
}

/// A whole number: an `int` or `std::int64_t` member, or a std::optional of one.
template <class Scheme, class Member>
constexpr auto integer(Member Scheme::*member, const char* name, std::int64_t fallback, Range range,
                       const char* sentence) {
  using Value = sdk::value_of<Member>;
  static_assert(std::is_same_v<Value, int> || std::is_same_v<Value, std::int64_t>,
                "integer(&Scheme::member, ...) needs a member of type int, std::int64_t or a std::optional of these");
  // What the member cannot hold is out of range.
  if constexpr (sizeof(Value) < sizeof(std::int64_t)) {
    if (range.lowest < double{std::numeric_limits<Value>::min()})
      range.lowest = double{std::numeric_limits<Value>::min()};
    if (range.highest > double{std::numeric_limits<Value>::max()})
      range = range.at_most(double{std::numeric_limits<Value>::max()});
  }
  return sdk::number(POSLAB_INTEGER, member, name, static_cast<double>(fallback), range, sentence);
}
template <class Scheme, class Member>
constexpr auto integer(Member Scheme::*member, const char* name, Unset, Range range, const char* sentence) {
  static_assert(sdk::ValueOf<Member>::optional, "a parameter that may be unset needs a std::optional member");
  auto parameter = integer(member, name, 0, range, sentence);
  parameter.row.default_number = std::numeric_limits<double>::quiet_NaN();
  return parameter;
}

template <class... Given>
requires(!sdk::is_number_row<std::int64_t, std::decay_t<Given>...>) constexpr int integer(Given&&...) {
  static_assert(sizeof...(Given) == ~0U,
                "a parameter is written integer(&Scheme::member, \"name\", 1, at_least(0), \"a sentence\"), in this "
                "order, its default a whole number");
  return 0;
}

/// One of some names: an enum (or int) member that gets the index of the name. The default is the first, or `fallback`.
template <class Scheme, class Member, std::size_t count>
constexpr auto choice(Member Scheme::*member, const char* name, const char* const (&choices)[count],
                      sdk::value_of<Member> fallback, const char* sentence) {
  return sdk::name_of_many(member, name, choices, count, static_cast<int>(fallback), sentence);
}
template <class Scheme, class Member, std::size_t count>
constexpr auto choice(Member Scheme::*member, const char* name, const char* const (&choices)[count],
                      const char* sentence) {
  return sdk::name_of_many(member, name, choices, count, 0, sentence);
}
template <class Scheme, class Member, std::size_t count>
constexpr auto choice(Member Scheme::*member, const char* name, const char* const (&choices)[count], Unset,
                      const char* sentence) {
  static_assert(sdk::ValueOf<Member>::optional, "a parameter that may be unset needs a std::optional member");
  return sdk::name_of_many(member, name, choices, count, -1, sentence);
}

/// Yes or no: a `bool` member.
template <class Scheme>
constexpr auto flag(bool Scheme::*member, const char* name, bool fallback, const char* sentence) {
  Parameter<Scheme, bool> parameter{member, sdk::parameter_row<bool>(POSLAB_FLAG, name, any_number, sentence)};
  parameter.row.default_choice = fallback;
  return parameter;
}

/// A list of numbers, each within `range`: a `std::vector<double>` member, or a std::optional of one.
template <class Scheme, class Member, std::size_t count>
constexpr auto list(Member Scheme::*member, const char* name, const double (&fallback)[count], Range range,
                    const char* sentence) {
  static_assert(std::is_same_v<sdk::value_of<Member>, std::vector<double>>,
                "list(&Scheme::member, ...) needs a member of type std::vector<double> or a std::optional of it");
  Parameter<Scheme, Member> parameter{member, sdk::parameter_row<Member>(POSLAB_LIST, name, range, sentence)};
  parameter.row.default_list = fallback;
  parameter.row.default_list_count = static_cast<std::int64_t>(count);
  return parameter;
}
template <class Scheme, class Member>
constexpr auto list(Member Scheme::*member, const char* name, Unset, Range range, const char* sentence) {
  static_assert(std::is_same_v<Member, std::optional<std::vector<double>>>,
                "a list that may be unset needs a member of type std::optional<std::vector<double>>");
  return Parameter<Scheme, Member>{member, sdk::parameter_row<Member>(POSLAB_LIST, name, range, sentence)};
}

}  // namespace poslab
