// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "poslab/base/text.hpp"

namespace poslab::base {

const char* to_text(Kind kind) {
  switch (kind) {
    case Kind::real: return "real";
    case Kind::integer: return "integer";
    case Kind::choice: return "choice";
    case Kind::flag: return "flag";
    case Kind::list: return "list";
  }
  return "?";
}

const char* to_text(Family family) {
  switch (family) {
    case Family::none: return "none";
    case Family::additive: return "additive";
    case Family::rotary: return "rotary";
    case Family::bias: return "bias";
    case Family::relative_vectors: return "relative vectors";
    case Family::contextual: return "contextual";
  }
  return "?";
}

bool Range::contains(double x) const {
  if (std::isnan(x)) return false;
  return (above_lowest ? x > lowest : x >= lowest) && (below_highest ? x < highest : x <= highest);
}

std::string Range::text() const {
  const bool from = std::isfinite(lowest), to = std::isfinite(highest);
  const std::string low = fmt::format("{} {}", above_lowest ? "greater than" : "at least", shortest(lowest));
  const std::string high = fmt::format("{} {}", below_highest ? "less than" : "at most", shortest(highest));
  if (from && to && !above_lowest && !below_highest)
    return fmt::format("from {} to {}", shortest(lowest), shortest(highest));
  if (from && to) return low + " and " + high;
  if (from) return low;
  if (to) return high;
  return above_lowest || below_highest ? "any finite number" : "any number";
}

namespace {

std::string outside(const Quantity& quantity, double x) {
  return fmt::format("\"{}\" is {}, but must be {}", quantity.name, shortest(x), quantity.range.text());
}

std::string wrong_kind(const Quantity& quantity, const Value& value, const char* wanted) {
  const bool text = std::holds_alternative<std::string>(value);
  return fmt::format("\"{}\" is {}{}{}, but must be {}", quantity.name, text ? "\"" : "", to_text(value),
                     text ? "\"" : "", wanted);
}

std::string why_not_list(const Quantity& quantity, const std::vector<double>& list) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (!quantity.range.contains(list[i]))
      return fmt::format("entry {} of \"{}\" is {}, but must be {}", i + 1, quantity.name, shortest(list[i]),
                         quantity.range.text());
  return "";
}

std::string why_not_choice(const Quantity& quantity, const Value& value) {
  const auto* word = std::get_if<std::string>(&value);
  const std::string wanted = "one of " + enumerate(quantity.choices);
  if (!word) return wrong_kind(quantity, value, wanted.c_str());
  if (std::find(quantity.choices.begin(), quantity.choices.end(), *word) != quantity.choices.end()) return "";
  return wrong_kind(quantity, value, wanted.c_str()) + did_you_mean(*word, quantity.choices);
}

}  // namespace

std::string why_not(const Quantity& quantity, const Value& value) {
  if (std::holds_alternative<std::monostate>(value))
    return quantity.may_be_unset ? "" : fmt::format("\"{}\" must be set", quantity.name);
  switch (quantity.kind) {
    case Kind::real: {
      const auto* x = std::get_if<double>(&value);
      const auto* i = std::get_if<std::int64_t>(&value);
      if (!x && !i) return wrong_kind(quantity, value, "a number");
      const double as_real = x ? *x : static_cast<double>(*i);
      return quantity.range.contains(as_real) ? "" : outside(quantity, as_real);
    }
    case Kind::integer: {
      const auto* i = std::get_if<std::int64_t>(&value);
      if (!i) return wrong_kind(quantity, value, "an integer");
      return quantity.range.contains(static_cast<double>(*i)) ? "" : outside(quantity, static_cast<double>(*i));
    }
    case Kind::choice: return why_not_choice(quantity, value);
    case Kind::flag: return std::holds_alternative<bool>(value) ? "" : wrong_kind(quantity, value, "true or false");
    case Kind::list: {
      const auto* list = std::get_if<std::vector<double>>(&value);
      return list ? why_not_list(quantity, *list) : wrong_kind(quantity, value, "a list of numbers");
    }
  }
  return "";
}

Value coerce(const Quantity& quantity, const Value& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value); i && quantity.kind == Kind::real)
    return static_cast<double>(*i);
  return value;
}

double Tolerance::allowed(double a, double b, double largest_position, double length) const {
  return absolute + relative * std::max(std::abs(a), std::abs(b)) + per_position * largest_position +
         per_length * length;
}

std::string Tolerance::text() const {
  if (statistical) return "statistical";
  std::vector<std::string> terms;
  if (absolute > 0) terms.push_back(shortest(absolute));
  if (relative > 0) terms.push_back(shortest(relative) + " relative");
  if (per_position > 0) terms.push_back(shortest(per_position) + " x largest position");
  if (per_length > 0) terms.push_back(shortest(per_length) + " x length");
  std::string text;
  for (const std::string& term : terms) text += (text.empty() ? "" : " + ") + term;
  return text.empty() ? "exact" : text;
}

namespace {

template <class Items>
auto find_named(const Items& items, const std::string& name) -> decltype(items.data()) {
  for (const auto& item : items)
    if (item.name == name) return &item;
  return nullptr;
}

template <class Items>
auto find_id(const Items& items, const std::string& id) -> decltype(items.data()) {
  for (const auto& item : items)
    if (item.id == id) return &item;
  return nullptr;
}

}  // namespace

const Quantity* SchemeInfo::parameter(const std::string& name) const { return find_named(parameters, name); }
const AxisInfo* ExperimentInfo::axis(const std::string& name) const { return find_named(axes, name); }
const MeasureInfo* ExperimentInfo::measure(const std::string& name) const { return find_named(measures, name); }
const SchemeInfo* Catalogue::scheme(const std::string& id) const { return find_id(schemes, id); }
const ExperimentInfo* Catalogue::experiment(const std::string& id) const { return find_id(experiments, id); }

bool is_reserved(const std::string& name) {
  static constexpr std::array<std::string_view, 27> reserved{"cell",
                                                             "scheme",
                                                             "variant",
                                                             "status",
                                                             "message",
                                                             "position",
                                                             "id",
                                                             "experiment",
                                                             "seed",
                                                             "repeat",
                                                             "row",
                                                             "parameters",
                                                             "encoding",
                                                             "values",
                                                             "attrs",
                                                             "dims",
                                                             "data",
                                                             "coords",
                                                             "sizes",
                                                             "expectations",
                                                             "provenance",
                                                             "shard",
                                                             "position_count",
                                                             "position_row",
                                                             "position_column",
                                                             "position_frame",
                                                             "position_value"};
  return std::find(reserved.begin(), reserved.end(), name) != reserved.end();
}

}  // namespace poslab::base
