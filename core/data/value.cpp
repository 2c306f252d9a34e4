// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/value.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "poslab/base/error.hpp"
#include "poslab/base/json.hpp"
#include "poslab/base/text.hpp"

namespace poslab::data {
namespace {

// A double that can never be read as an integer.
std::string real_text(double x) {
  std::string text = fmt::format("{}", x);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

template <class... Cases>
struct overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Parts>
overloaded(Parts...) -> overloaded<Parts...>;  // clang 14 does not work it out

// In JSON, of a list.
std::string json_number(double x) { return std::isfinite(x) ? base::shortest(x) : base::quoted(base::shortest(x)); }

std::string list_text(const std::vector<double>& list, std::string (*text_of)(double)) {
  std::string text = "[";
  for (std::size_t i = 0; i < list.size(); ++i) text += (i ? ", " : "") + text_of(list[i]);
  return text + "]";
}

// Nothing for what no value is written as.
std::optional<Value> value_of(const base::Json& json) {
  if (json.is_null()) return Value{};
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (!json.is_array()) return std::nullopt;
  std::vector<double> list;
  for (const base::Json& number : json) {
    if (!number.is_number()) return std::nullopt;
    list.push_back(number.get<double>());
  }
  return list;
}

[[noreturn]] void wrong_type(const std::string& name, const Value& value, const char* wanted) {
  throw base::Error(base::Error::Kind::request,
                    fmt::format("\"{}\" is {}, but {} is needed", name, to_text(value), wanted));
}

}  // namespace

std::string to_text(const Value& value) {
  return std::visit(overloaded{[](std::monostate) -> std::string { return "unset"; },
                               [](bool b) -> std::string { return b ? "true" : "false"; },
                               [](std::int64_t i) { return std::to_string(i); }, [](double x) { return real_text(x); },
                               [](const std::string& s) { return s; },
                               [](const std::vector<double>& l) { return list_text(l, base::shortest); }},
                    value);
}

std::string to_json(const Value& value) {
  return std::visit(
      overloaded{[](std::monostate) -> std::string { return "null"; },
                 [](bool b) -> std::string { return b ? "true" : "false"; },
                 [](std::int64_t i) { return std::to_string(i); },
                 [](double x) { return std::isfinite(x) ? real_text(x) : base::quoted(base::shortest(x)); },
                 [](const std::string& s) { return base::quoted(s); },
                 [](const std::vector<double>& l) { return list_text(l, json_number); }},
      value);
}

double number(const Value& value, const std::string& what) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
  if (const auto* x = std::get_if<double>(&value)) return *x;
  wrong_type(what, value, "a number");
}

const Value* Values::find(const std::string& name) const {
  for (const auto& [key, value] : entries_)
    if (key == name) return &value;
  return nullptr;
}

const Value& Values::at(const std::string& name) const {
  if (const Value* value = find(name)) return *value;
  throw base::Error(base::Error::Kind::request, fmt::format("there is no value \"{}\" here", name));
}

void Values::set(const std::string& name, Value value) {
  for (auto& [key, old] : entries_) {
    if (key == name) {
      old = std::move(value);
      return;
    }
  }
  entries_.emplace_back(name, std::move(value));
}

void Values::erase(const std::string& name) {
  std::erase_if(entries_, [&](const auto& entry) { return entry.first == name; });
}

std::int64_t Values::integer(const std::string& name) const {
  const Value& value = at(name);
  if (const auto* i = std::get_if<std::int64_t>(&value)) return *i;
  wrong_type(name, value, "an integer");
}

double Values::real(const std::string& name) const { return number(at(name), name); }

bool Values::flag(const std::string& name) const {
  const Value& value = at(name);
  if (const auto* b = std::get_if<bool>(&value)) return *b;
  wrong_type(name, value, "true or false");
}

const std::string& Values::text(const std::string& name) const {
  const Value& value = at(name);
  if (const auto* s = std::get_if<std::string>(&value)) return *s;
  wrong_type(name, value, "a word");
}

const std::vector<double>& Values::list(const std::string& name) const {
  const Value& value = at(name);
  if (const auto* l = std::get_if<std::vector<double>>(&value)) return *l;
  wrong_type(name, value, "a list of numbers");
}

std::string Values::to_json() const {
  std::string text = "{";
  for (std::size_t i = 0; i < entries_.size(); ++i)
    text += (i ? ", " : "") + base::quoted(entries_[i].first) + ": " + data::to_json(entries_[i].second);
  return text + "}";
}

std::optional<Values> Values::from_json(std::string_view text) {
  const base::Json json = base::Json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  Values values;
  for (const auto& [name, entry] : json.items()) {
    std::optional<Value> value = value_of(entry);
    if (!value) return std::nullopt;
    values.set(name, *std::move(value));
  }
  return values;
}

}  // namespace poslab::data
