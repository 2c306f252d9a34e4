// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "poslab/base/text.hpp"

namespace poslab::data {

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

const char* to_text(Role role) {
  switch (role) {
    case Role::none: return "none";
    case Role::base: return "base";
    case Role::factor: return "factor";
    case Role::start: return "start";
    case Role::rotary_width: return "rotary-width";
    case Role::planes: return "planes";
    case Role::pairing: return "pairing";
  }
  return "?";
}

bool Range::contains(double x) const {
  if (std::isnan(x)) return false;
  return (above_lowest ? x > lowest : x >= lowest) && (below_highest ? x < highest : x <= highest);
}

std::string Range::text() const {
  const bool from = std::isfinite(lowest), to = std::isfinite(highest);
  const std::string low = fmt::format("{} {}", above_lowest ? "greater than" : "at least", base::shortest(lowest));
  const std::string high = fmt::format("{} {}", below_highest ? "less than" : "at most", base::shortest(highest));
  if (from && to && !above_lowest && !below_highest)
    return fmt::format("from {} to {}", base::shortest(lowest), base::shortest(highest));
  if (from && to) return low + " and " + high;
  if (from) return low;
  if (to) return high;
  return above_lowest || below_highest ? "any finite number" : "any number";
}

namespace {

std::optional<base::Refusal> why_not_number(const Quantity& quantity, double x) {
  if (quantity.range.contains(x)) return std::nullopt;
  return fmt::format("\"{}\" is {}, but must be {}", quantity.name, base::shortest(x), quantity.range.text());
}

std::string wrong_kind(const Quantity& quantity, const Value& value, const char* wanted) {
  const bool text = std::holds_alternative<std::string>(value);
  return fmt::format("\"{}\" is {}{}{}, but must be {}", quantity.name, text ? "\"" : "", to_text(value),
                     text ? "\"" : "", wanted);
}

std::optional<base::Refusal> why_not_list(const Quantity& quantity, const std::vector<double>& list) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (!quantity.range.contains(list[i]))
      return fmt::format("entry {} of \"{}\" is {}, but must be {}", i + 1, quantity.name, base::shortest(list[i]),
                         quantity.range.text());
  return std::nullopt;
}

std::optional<base::Refusal> why_not_choice(const Quantity& quantity, const Value& value) {
  const auto* word = std::get_if<std::string>(&value);
  const std::string wanted = "one of " + base::enumerate(quantity.choices);
  if (!word) return wrong_kind(quantity, value, wanted.c_str());
  if (std::find(quantity.choices.begin(), quantity.choices.end(), *word) != quantity.choices.end()) return std::nullopt;
  return wrong_kind(quantity, value, wanted.c_str()) + base::did_you_mean(*word, quantity.choices);
}

}  // namespace

std::optional<base::Refusal> why_not(const Quantity& quantity, const Value& value) {
  if (std::holds_alternative<std::monostate>(value)) {
    if (quantity.may_be_unset) return std::nullopt;
    return fmt::format("\"{}\" must be set", quantity.name);
  }
  switch (quantity.kind) {
    case Kind::real: {
      const auto* x = std::get_if<double>(&value);
      const auto* i = std::get_if<std::int64_t>(&value);
      if (!x && !i) return wrong_kind(quantity, value, "a number");
      return why_not_number(quantity, x ? *x : static_cast<double>(*i));
    }
    case Kind::integer: {
      const auto* i = std::get_if<std::int64_t>(&value);
      if (!i) return wrong_kind(quantity, value, "an integer");
      return why_not_number(quantity, static_cast<double>(*i));
    }
    case Kind::choice: return why_not_choice(quantity, value);
    case Kind::flag:
      if (std::holds_alternative<bool>(value)) return std::nullopt;
      return wrong_kind(quantity, value, "true or false");
    case Kind::list: {
      const auto* list = std::get_if<std::vector<double>>(&value);
      if (!list) return wrong_kind(quantity, value, "a list of numbers");
      return why_not_list(quantity, *list);
    }
  }
  return std::nullopt;
}

Value coerce(const Quantity& quantity, const Value& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value); i && quantity.kind == Kind::real)
    return static_cast<double>(*i);
  return value;
}

}  // namespace poslab::data
