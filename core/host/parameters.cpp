// SPDX-License-Identifier: Apache-2.0
#include "declared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <utility>

#include "poslab/base/text.hpp"
#include "poslab/host/scheme_errors.hpp"

namespace poslab::host {
namespace {

constexpr std::size_t min_parameter_size = offsetof(poslab_parameter, default_list_count) + sizeof(std::int64_t);

[[noreturn]] void malformed(const std::string& rule) { throw Malformed(Malformed::What::table, rule); }

[[noreturn]] void malformed(const std::string& name, const std::string& rule) {
  malformed(fmt::format("parameter \"{}\" {}", name, rule));
}

std::string text(const char* given, std::size_t longest, const std::string& parameter, const std::string& what) {
  DeclaredText read = declared_text(given, longest);
  if (!read.problem.empty()) malformed(parameter, fmt::format("has {} that {}", what, read.problem));
  return std::move(read.text);
}

data::Kind kind_of(const poslab_parameter& row, const std::string& name) {
  switch (row.kind) {
    case POSLAB_REAL: return data::Kind::real;
    case POSLAB_INTEGER: return data::Kind::integer;
    case POSLAB_CHOICE: return data::Kind::choice;
    case POSLAB_FLAG: return data::Kind::flag;
    case POSLAB_LIST: return data::Kind::list;
    default: malformed(name, fmt::format("has the unknown kind {}", row.kind));
  }
}

std::vector<std::string> choices_of(const poslab_parameter& row, const std::string& name) {
  std::vector<std::string> choices;
  if (row.choice_count < 1 || !row.choices) malformed(name, "has no choices");
  if (const auto refusal = why_not_so_many(row.choice_count, POSLAB_MOST_CHOICES, "choices"))
    malformed(name, "has " + refusal->reason);
  for (std::int64_t i = 0; i < row.choice_count; ++i) {
    if (!row.choices[i] || *row.choices[i] == '\0') malformed(name, fmt::format("has no name for choice {}", i));
    choices.push_back(text(row.choices[i], max_name_bytes, name, fmt::format("the name of choice {}", i)));
    if (std::count(choices.begin(), choices.end(), choices.back()) > 1)
      malformed(name, fmt::format("has the choice \"{}\" twice", choices.back()));
  }
  return choices;
}

bool is_whole(double x) { return std::abs(x) <= 9e15 && x == std::trunc(x); }

// A default that says "none" (nan, a negative choice, a null list) leaves a parameter that may be unset unset.
data::Value default_of(const poslab_parameter& row, const data::Quantity& quantity) {
  const bool may_be_unset = quantity.may_be_unset;
  switch (quantity.kind) {
    case data::Kind::real: return may_be_unset && std::isnan(row.default_number) ? data::Value{} : row.default_number;
    case data::Kind::integer:
      if (may_be_unset && std::isnan(row.default_number)) return {};
      if (!is_whole(row.default_number))
        malformed(quantity.name, fmt::format("has the default {}, which is no integer", row.default_number));
      return static_cast<std::int64_t>(row.default_number);
    case data::Kind::choice:
      if (may_be_unset && row.default_choice < 0) return {};
      if (row.default_choice < 0 || row.default_choice >= row.choice_count)
        malformed(quantity.name, fmt::format("has default choice {} of {}", row.default_choice, row.choice_count));
      return quantity.choices[static_cast<std::size_t>(row.default_choice)];
    case data::Kind::flag:
      if (may_be_unset && row.default_choice < 0) return {};
      if (row.default_choice != 0 && row.default_choice != 1)
        malformed(quantity.name, fmt::format("has the default {}, which is no flag", row.default_choice));
      return row.default_choice == 1;
    case data::Kind::list:
      if (may_be_unset && !row.default_list) return {};
      if (row.default_list_count < 0 || (row.default_list_count > 0 && !row.default_list))
        malformed(quantity.name, "has a null default list");
      if (const auto refusal = why_not_so_many(row.default_list_count, POSLAB_MOST_LISTED, "numbers"))
        malformed(quantity.name, "has a default list of " + refusal->reason);
      return std::vector<double>(row.default_list, row.default_list + row.default_list_count);
  }
  return {};
}

// Lists lie one behind another, with a nan after each.
std::vector<data::Value> lists_of(std::span<const double> numbers, const std::string& name) {
  std::vector<data::Value> lists;
  std::vector<double> list;
  for (const double x : numbers) {
    if (!std::isnan(x)) {
      list.push_back(x);
      continue;
    }
    lists.emplace_back(std::move(list));
    list.clear();
  }
  if (!list.empty()) malformed(name, "has usual lists whose last has no nan after it");
  return lists;
}

std::vector<data::Value> usual_of(const poslab_parameter& row, const data::Quantity& quantity) {
  if (row.usual_count == 0) return {};
  if (row.usual_count < 0 || !row.usual) malformed(quantity.name, "has null usual numbers");
  if (const auto refusal = why_not_so_many(row.usual_count, POSLAB_MOST_LISTED, "numbers"))
    malformed(quantity.name, "has usual numbers that are " + refusal->reason);
  const std::span<const double> numbers(row.usual, static_cast<std::size_t>(row.usual_count));
  std::vector<data::Value> values;
  switch (quantity.kind) {
    case data::Kind::real: values.assign(numbers.begin(), numbers.end()); break;
    case data::Kind::integer:
      for (const double x : numbers) {
        if (!is_whole(x)) malformed(quantity.name, fmt::format("has the usual number {}, which is no integer", x));
        values.emplace_back(static_cast<std::int64_t>(x));
      }
      break;
    case data::Kind::list: values = lists_of(numbers, quantity.name); break;
    case data::Kind::choice:
    case data::Kind::flag: malformed(quantity.name, "has usual numbers, but is no number");
  }
  for (const data::Value& value : values)
    if (const auto refusal = data::why_not(quantity, value))
      malformed(quantity.name, "has a usual number outside its range: " + refusal->reason);
  return values;
}

data::Role role_of(const poslab_parameter& row, const data::Quantity& quantity) {
  if (row.role < POSLAB_ROLE_NONE || row.role > POSLAB_ROLE_PAIRING)
    malformed(quantity.name, fmt::format("has the unknown role {}", row.role));
  const auto role = static_cast<data::Role>(row.role);
  const auto is = [&](std::initializer_list<data::Kind> kinds) {
    return std::find(kinds.begin(), kinds.end(), quantity.kind) != kinds.end();
  };
  bool fits = true;
  switch (role) {
    case data::Role::none: break;
    case data::Role::base:
    case data::Role::factor: fits = is({data::Kind::real}); break;
    case data::Role::start: fits = is({data::Kind::real, data::Kind::integer}); break;
    case data::Role::rotary_width: fits = is({data::Kind::integer}); break;
    case data::Role::planes: fits = is({data::Kind::list}); break;
    case data::Role::pairing: fits = is({data::Kind::choice}); break;
  }
  if (!fits)
    malformed(quantity.name, fmt::format("has the role {}, which is for no parameter of kind {}", data::to_text(role),
                                         data::to_text(quantity.kind)));
  return role;
}

// `which`: by number, where the name is none.
std::string name_of(const poslab_parameter& row, std::int64_t which) {
  if (!row.name) return "";
  DeclaredText name = declared_text(row.name, max_name_bytes);
  if (!name.problem.empty()) malformed(fmt::format("the name of parameter {} {}", which, name.problem));
  return std::move(name.text);
}

data::Quantity declared_parameter(const poslab_parameter& row, std::int64_t which) {
  data::Quantity quantity;
  quantity.name = name_of(row, which);
  if (!is_lower_case_name(quantity.name)) malformed(quantity.name, "must be named in lower_case, a letter first");
  if (data::is_reserved(quantity.name)) malformed(quantity.name, "has a name that results files reserve");
  if (!row.unit || !row.sentence) malformed(quantity.name, "has a null unit or sentence");
  quantity.unit = text(row.unit, max_name_bytes, quantity.name, "a unit");
  quantity.sentence = text(row.sentence, max_sentence_bytes, quantity.name, "a sentence");
  quantity.kind = kind_of(row, quantity.name);
  quantity.range = {row.lowest, row.highest, row.above_lowest != 0, row.below_highest != 0};
  if (!(row.lowest <= row.highest))
    malformed(quantity.name, fmt::format("has the range {} to {}", row.lowest, row.highest));
  if (quantity.kind == data::Kind::choice) quantity.choices = choices_of(row, quantity.name);
  quantity.may_be_unset = row.may_be_unset != 0;
  quantity.default_value = default_of(row, quantity);
  if (const auto refusal = data::why_not(quantity, quantity.default_value))
    malformed(quantity.name, "has a default outside its range: " + refusal->reason);
  quantity.usual = usual_of(row, quantity);
  quantity.role = role_of(row, quantity);
  return quantity;
}

}  // namespace

std::vector<data::Quantity> declared_parameters(const poslab_plugin& table) {
  std::vector<data::Quantity> declared;
  if (table.parameter_count < 0 || (table.parameter_count > 0 && !table.parameters))
    malformed(fmt::format("`parameters` is null for a count of {}", table.parameter_count));
  if (const auto refusal = why_not_so_many(table.parameter_count, POSLAB_MOST_PARAMETERS, "parameters"))
    malformed("it declares " + refusal->reason);
  for (std::int64_t i = 0; i < table.parameter_count; ++i) {
    const poslab_parameter* row = table.parameters[i];
    if (!row || row->size < min_parameter_size) malformed(fmt::format("parameter {} is null or too short", i));
    data::Quantity quantity = declared_parameter(copy_within_size(*row), i);
    const auto same_name = [&](const data::Quantity& other) { return other.name == quantity.name; };
    if (std::any_of(declared.begin(), declared.end(), same_name)) malformed(quantity.name, "is declared twice");
    declared.push_back(std::move(quantity));
  }
  return declared;
}

data::Values complete(const data::SchemeInfo& info, const data::Values& given) {
  std::vector<std::string> names;
  for (const data::Quantity& quantity : info.parameters) names.push_back(quantity.name);
  for (const auto& [name, value] : given) {
    if (info.parameter(name)) continue;
    throw base::Error(base::Error::Kind::request, fmt::format("scheme \"{}\" has no parameter \"{}\"{}", info.id, name,
                                                              base::did_you_mean(name, names)));
  }
  data::Values all;
  for (const data::Quantity& quantity : info.parameters) {
    const data::Value* value = given.find(quantity.name);
    if (!value) value = &quantity.default_value;
    if (const auto refusal = data::why_not(quantity, *value))
      throw base::Error(base::Error::Kind::request, fmt::format("scheme \"{}\": {}", info.id, refusal->reason));
    all.set(quantity.name, data::coerce(quantity, *value));
  }
  return all;
}

}  // namespace poslab::host
