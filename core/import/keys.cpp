// SPDX-License-Identifier: Apache-2.0
#include "keys.hpp"

#include <fmt/format.h>

#include <cmath>

#include "poslab/base/printable.hpp"

namespace poslab::importing {
namespace {

constexpr double max_count = 1e9;  // of heads, layers, positions: more is a mistake

// A value on one line.
std::string shown(const Object& value) {
  return base::shortened(base::printable(value.dump(-1, ' ', false, Object::error_handler_t::replace)), 60);
}

double finite_number(const Object& value, const std::string& key) {
  if (!value.is_number() || !std::isfinite(value.get<double>())) throw wrong_value(key, value, "a number");
  return value.get<double>();
}

std::int64_t whole_number(const Object& value, const std::string& key) {
  const double number = value.is_number() ? value.get<double>() : 0;
  if (!(number >= 1 && number <= max_count) || number != std::floor(number))
    throw wrong_value(key, value, "a whole number, at least 1");
  return static_cast<std::int64_t>(number);
}

}  // namespace

void Ledger::assume(const std::string& meaning, const std::string& value) {
  for (const AssumedValue& one : assumed)
    if (one.meaning == meaning && one.value == value) return;
  assumed.push_back({meaning, value});
}

void Ledger::limit(Limit::Kind kind, const std::string& subject, double amount) {
  for (const Limit& one : limits)
    if (one.kind == kind && one.subject == subject && one.amount == amount) return;
  limits.push_back({kind, subject, amount});
}

base::Error wrong_value(const std::string& key, const Object& value, const std::string& needed) {
  return {base::Error::Kind::damaged,
          fmt::format("{} is {}, but must be {}", base::printable(key), shown(value), needed)};
}

base::Error missing(std::initializer_list<const char*> names, const std::string& meaning) {
  std::string others;
  for (const char* name : names)
    if (name != *names.begin()) others += (others.empty() ? " (or " : ", ") + std::string(name);
  return {base::Error::Kind::request, fmt::format("the configuration has no {}{}: {} is not known", *names.begin(),
                                                  others.empty() ? "" : others + ")", meaning)};
}

bool Keys::has(const char* name) const {
  const Object::const_iterator found = object_->find(name);
  return found != object_->end() && !found->is_null();
}

const Object* Keys::find(Names names, const char* meaning, std::string& key) const {
  for (const char* name : names) {
    const Object::const_iterator found = object_->find(name);
    if (found == object_->end()) continue;
    key = path_ + name;
    ledger_->read.insert(key);
    if (found->is_null()) continue;
    if (*meaning) ledger_->used.push_back({key, shown(*found), meaning});
    return &*found;
  }
  return nullptr;
}

std::optional<double> Keys::number(Names names, const char* meaning) const {
  std::string key;
  const Object* value = find(names, meaning, key);
  return value ? std::optional(finite_number(*value, key)) : std::nullopt;
}

std::optional<double> Keys::positive(Names names, const char* meaning) const {
  std::string key;
  const Object* value = find(names, meaning, key);
  if (!value) return {};
  if (!value->is_number() || !(value->get<double>() > 0) || !std::isfinite(value->get<double>()))
    throw wrong_value(key, *value, "a number greater than 0");
  return value->get<double>();
}

std::optional<std::int64_t> Keys::count(Names names, const char* meaning) const {
  std::string key;
  const Object* value = find(names, meaning, key);
  return value ? std::optional(whole_number(*value, key)) : std::nullopt;
}

std::int64_t Keys::required_count(Names names, const char* meaning) const {
  const std::optional<std::int64_t> value = count(names, meaning);
  if (!value) throw missing(names, meaning);
  return *value;
}

std::optional<bool> Keys::flag(Names names, const char* meaning) const {
  std::string key;
  const Object* value = find(names, meaning, key);
  if (!value) return {};
  if (value->is_number()) return value->get<double>() != 0;  // as Python has it: Llama 4's attn_temperature_tuning is 4
  if (!value->is_boolean()) throw wrong_value(key, *value, "true or false");
  return value->get<bool>();
}

std::optional<std::string> Keys::text(Names names, const char* meaning) const {
  std::string key;
  const Object* value = find(names, meaning, key);
  if (!value) return {};
  if (!value->is_string()) throw wrong_value(key, *value, "a word");
  return value->get<std::string>();
}

std::optional<std::vector<double>> Keys::numbers(Names names, const char* meaning) const {
  std::string key;
  const Object* value = find(names, meaning, key);
  if (!value) return {};
  if (!value->is_array() || value->empty()) throw wrong_value(key, *value, "a list of numbers");
  std::vector<double> list;
  for (const Object& item : *value) list.push_back(finite_number(item, key));
  return list;
}

std::optional<std::vector<std::string>> Keys::texts(Names names, const char* meaning) const {
  std::string key;
  const Object* value = find(names, meaning, key);
  if (!value) return {};
  if (!value->is_array()) throw wrong_value(key, *value, "a list of words");
  std::vector<std::string> list;
  for (const Object& item : *value) {
    if (!item.is_string()) throw wrong_value(key, *value, "a list of words");
    list.push_back(item.get<std::string>());
  }
  return list;
}

std::optional<std::vector<std::int64_t>> Keys::pair(Names names, const char* meaning) const {
  std::string key;
  const Object* value = find(names, meaning, key);
  if (!value) return {};
  if (!value->is_array()) return std::vector<std::int64_t>(2, whole_number(*value, key));
  if (value->size() != 2) throw wrong_value(key, *value, "a whole number, or two");
  return std::vector<std::int64_t>{whole_number(value->front(), key), whole_number(value->back(), key)};
}

std::optional<Keys> Keys::table(const char* name) const {
  std::string key;
  const Object* value = find({name}, "", key);
  if (!value) return {};
  if (!value->is_object()) throw wrong_value(key, *value, "a table of keys");
  return Keys(*value, key + ".", *ledger_);
}

std::optional<Keys> Keys::table_of_positions(const char* name) const {
  const std::optional<Keys> found = table(name);
  if (found) ledger_->of_positions.insert(&found->object());
  return found;
}

void Keys::pass_over(Names names) const {
  for (const char* name : names)
    if (object_->contains(name)) ledger_->read.insert(path_ + name);
}

}  // namespace poslab::importing
