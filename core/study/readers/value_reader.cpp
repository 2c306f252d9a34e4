// SPDX-License-Identifier: Apache-2.0
// Values and lists of values.
#include "readers/value_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "poslab/base/text.hpp"

namespace poslab::study {
namespace {

using Values = std::vector<data::Value>;

std::string wanted(const data::Quantity& quantity) {
  switch (quantity.kind) {
    case data::Kind::real: return "a number";
    case data::Kind::integer: return "an integer";
    case data::Kind::choice: return "one of " + base::enumerate(quantity.choices);
    case data::Kind::flag: return "true or false";
    case data::Kind::list: return "a list of numbers";
  }
  return "?";
}

std::optional<double> exact_number(const toml::node& node) {
  if (!node.is_number()) return std::nullopt;
  const double x = *node.value<double>();
  return node.is_integer() && std::abs(x) > largest_exact_integer ? std::nullopt : std::optional(x);
}

// nullopt: a table, a date, or a list that holds something else than numbers.
std::optional<data::Value> to_value(const toml::node& node) {
  if (node.is_boolean()) return data::Value(*node.value<bool>());
  if (node.is_integer()) return data::Value(*node.value<std::int64_t>());
  if (node.is_floating_point()) return data::Value(*node.value<double>());
  if (node.is_string()) return data::Value(*node.value<std::string>());
  const toml::array* array = node.as_array();
  if (!array) return std::nullopt;
  std::vector<double> list;
  for (const toml::node& element : *array) {
    const auto x = exact_number(element);
    if (!x) return std::nullopt;
    list.push_back(*x);
  }
  return data::Value(std::move(list));
}

bool is_finite(const data::Value& value) {
  if (const auto* x = std::get_if<double>(&value)) return std::isfinite(*x);
  if (const auto* list = std::get_if<std::vector<double>>(&value))
    return std::all_of(list->begin(), list->end(), [](double x) { return std::isfinite(x); });
  return true;
}

bool is_ordinary_word(const data::Value& value) {
  const auto* word = std::get_if<std::string>(&value);
  return !word || (word->size() <= 80 && shown(*word).size() == word->size() + 2);
}

// Catches a value that was given before, in constant time.
class Seen {
 public:
  bool again(const data::Value& value) { return !texts_.insert(data::to_text(value)).second; }

 private:
  std::unordered_set<std::string> texts_;
};

std::string has_twice(const data::Quantity& quantity, const data::Value& value) {
  return fmt::format("\"{}\" has {} twice", quantity.name, data::to_text(value));
}

void fold_inner(Values& values, const data::AxisInfo& axis) {
  if (!axis.inner) return;
  std::vector<double> list;
  for (const data::Value& value : values) list.push_back(std::get<double>(value));
  std::sort(list.begin(), list.end());
  values = {data::Value(std::move(list))};
}

std::optional<Values> read_list(const toml::array& array, const data::AxisInfo& axis, Twice twice, Report& report) {
  const data::Quantity element_quantity = element_of(axis);
  const std::size_t before = report.count();
  Values values;
  Seen seen;
  if (array.empty()) report.add(location_of(array), fmt::format("\"{}\" is an empty list", axis.name));
  if (static_cast<double>(array.size()) > max_values)
    report.add(location_of(array),
               fmt::format("\"{}\" has {} values; at most {:.0f} are taken", axis.name, array.size(), max_values));
  if (report.count() > before) return std::nullopt;
  for (const toml::node& element : array) {
    auto value = read_value(element, element_quantity, report);
    if (value && twice == Twice::refused && seen.again(*value))
      report.add(location_of(element), has_twice(axis, *value));
    if (value) values.push_back(std::move(*value));
  }
  return report.count() > before ? std::nullopt : std::optional(std::move(values));
}

bool is_whole(const data::Value& value) {
  const auto* x = std::get_if<double>(&value);
  return !x || *x == std::floor(*x);
}

// Why values by rule do not all fit. The culprit is the first that does not fit: where integers are wanted,
// one with a fraction before one that is only written with a point.
std::optional<base::Refusal> why_not_by_rule(const Values& values, const std::string& rule,
                                             const data::Quantity& element) {
  const data::Value* culprit = nullptr;
  std::vector<const data::Value*> fitting;
  for (const data::Value& value : values) {
    if (!why_not_value(element, value)) {
      fitting.push_back(&value);
    } else if (!culprit || (!is_whole(value) && is_whole(*culprit))) {
      culprit = &value;
    }
  }
  if (!culprit) return std::nullopt;
  auto refusal = why_not_value(element, *culprit);
  if (!fitting.empty())
    refusal->reason += fmt::format("; of the {} values of this {}, {} fit: {} to {}", values.size(), rule,
                                   fitting.size(), data::to_text(*fitting.front()), data::to_text(*fitting.back()));
  return refusal;
}

}  // namespace

data::Quantity element_of(const data::AxisInfo& axis) {
  data::Quantity element = axis;
  if (axis.inner) element.kind = data::Kind::real;
  return element;
}

std::optional<base::Refusal> why_not_value(const data::Quantity& quantity, const data::Value& value) {
  if (!is_ordinary_word(value))
    return fmt::format("\"{}\" is {}, but must be {}", quantity.name, shown(std::get<std::string>(value)),
                       wanted(quantity));
  if (!is_finite(value))
    return fmt::format("\"{}\" is {}, but every number must be finite", quantity.name, data::to_text(value));
  const auto* i = std::get_if<std::int64_t>(&value);
  if (i && quantity.kind == data::Kind::real && std::abs(static_cast<double>(*i)) > largest_exact_integer)
    return fmt::format("\"{}\" is {}, an integer that no real number holds exactly; write it with a point",
                       quantity.name, *i);
  const auto* x = std::get_if<double>(&value);
  if (quantity.kind == data::Kind::integer && x && std::abs(*x) >= 0x1p63)
    return fmt::format("\"{}\" is {}, but integers end at 2^63 - 1", quantity.name, data::to_text(value));
  auto refusal = data::why_not(quantity, value);
  if (refusal && quantity.kind == data::Kind::integer && x && *x == std::floor(*x) && std::abs(*x) < 1e15)
    refusal->reason += fmt::format("; write {:.0f}", *x);
  return refusal;
}

data::Value settle(const data::Quantity& quantity, const data::Value& value) {
  data::Value settled = data::coerce(quantity, value);
  if (auto* x = std::get_if<double>(&settled)) *x += 0.0;  // -0.0 becomes 0.0
  if (auto* list = std::get_if<std::vector<double>>(&settled))
    for (double& x : *list) x += 0.0;
  return settled;
}

std::optional<data::Value> read_value(const toml::node& node, const data::Quantity& quantity, Report& report) {
  const auto value = to_value(node);
  const auto refusal =
      value ? why_not_value(quantity, *value)
            : fmt::format("\"{}\" is {}, but must be {}", quantity.name, kind_of(node), wanted(quantity));
  if (!refusal) return settle(quantity, *value);
  report.add(location_of(node), refusal->reason);
  return std::nullopt;
}

std::optional<Values> read_values(const toml::node& node, const data::AxisInfo& axis, Twice twice, Report& report) {
  std::optional<Values> values;
  if (const toml::table* form = node.as_table()) {
    values = read_form(*form, axis.name, axis.kind == data::Kind::integer, report);
    if (!values) return std::nullopt;
    auto refusal = why_not_by_rule(*values, in_file_order(*form).front().name, element_of(axis));
    if (!refusal) refusal = settle_values(*values, axis, twice);
    if (!refusal) return values;
    report.add(location_of(node), refusal->reason);
    return std::nullopt;
  }
  if (const toml::array* array = node.as_array()) {
    values = read_list(*array, axis, twice, report);
  } else if (auto value = read_value(node, element_of(axis), report)) {
    values = Values{std::move(*value)};
  }
  if (values) fold_inner(*values, axis);
  return values;
}

std::optional<base::Refusal> settle_values(Values& values, const data::AxisInfo& axis, Twice twice) {
  const data::Quantity element = element_of(axis);
  Seen seen;
  for (data::Value& value : values) {
    if (auto refusal = why_not_value(element, value)) return refusal;
    value = settle(element, value);
    if (twice == Twice::refused && seen.again(value)) return has_twice(axis, value);
  }
  fold_inner(values, axis);
  return std::nullopt;
}

bool same_value(const data::Value& a, const data::Value& b) {
  const auto* x = std::get_if<std::int64_t>(&a);
  const auto* y = std::get_if<std::int64_t>(&b);
  const bool mixed = (x && std::holds_alternative<double>(b)) || (y && std::holds_alternative<double>(a));
  return mixed ? data::number(a, "") == data::number(b, "") : a == b;
}

}  // namespace poslab::study
