// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "poslab/base/error.hpp"
#include "poslab/data/refusal.hpp"

namespace poslab::golden {
namespace {

bool applies(const Facts& facts, const Json& rule) {
  for (const auto& [name, wanted] : member(rule, "when").items()) {
    const Json* attribute = facts.attribute(name);
    const Json value = attribute ? *attribute : Json();
    const bool one_of = wanted.is_object() &&
                        std::find(wanted["one_of"].begin(), wanted["one_of"].end(), value) != wanted["one_of"].end();
    if (value != wanted && !one_of) return false;
  }
  for (const Json& name : member(rule, "needs"))
    if (!facts.has_dataset(name.get<std::string>())) return false;
  return true;
}

data::Value as_kind(const Facts& facts, const data::Quantity& quantity, const Json& value) {
  if (value.is_null()) return {};
  const auto number = [&] { return value.is_string() ? facts.number(value.get<std::string>()) : value.get<double>(); };
  switch (quantity.kind) {
    case data::Kind::real: return number();
    case data::Kind::integer: return static_cast<std::int64_t>(std::llround(number()));
    case data::Kind::flag: return value.is_boolean() ? value.get<bool>() : number() != 0;
    case data::Kind::choice: return value.get<std::string>();
    case data::Kind::list: return value.get<std::vector<double>>();
  }
  return {};
}

// The members of `rule` on top of those of `example`, objects member by member; null takes one away.
Json filled_in(const Json& example, const Json& rule) {
  Json result = example;
  result.merge_patch(rule);
  result.erase("like");
  return result;
}

}  // namespace

const Json& member(const Json& rule, const char* key) {
  static const Json none;
  const auto found = rule.find(key);
  return found == rule.end() ? none : *found;
}

Table::Table(const std::string& folder) : rules_(Json::object()) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream stream(entry.path());
    const Json family = Json::parse(stream, nullptr, true, /*ignore_comments=*/true);
    for (const auto& [scheme, rules] : family.items()) {
      if (rules_.contains(scheme)) throw base::Error(fmt::format("two files of {} have rules for {}", folder, scheme));
      rules_[scheme] = rules;
    }
  }
  for (auto& [scheme, rules] : rules_.items())
    for (Json& rule : rules)
      if (rule.contains("like")) rule = filled_in(rules_.at(rule["like"].get<std::string>()).at(0), rule);
}

const Json& Table::rule_for(const Facts& facts) const {
  const auto rules = rules_.find(facts.golden().scheme);
  if (rules == rules_.end()) throw Unknown("the table has no scheme \"" + facts.golden().scheme + "\"");
  for (const Json& rule : *rules)
    if (applies(facts, rule)) {
      for (const auto& [name, reason] : member(rule, "ignored").items()) facts.use(name);
      return rule;
    }
  throw Unknown("no rule of the table fits the attributes " + facts.golden().parameters.dump());
}

Json translated(const Facts& facts, const Json& spec) {
  if (!spec.is_object()) return spec;
  if (spec.contains("has")) return facts.has_dataset(spec["has"].get<std::string>());
  const auto name = spec.at("attribute").get<std::string>();
  const Json* attribute = facts.attribute(name);
  if (!attribute) return {};
  if (!spec.contains("words")) return *attribute;
  for (const Json& pair : spec["words"])
    if (pair[0] == *attribute) return pair[1];
  if (spec.value("others_as_they_are", false)) return *attribute;
  throw Unknown("the table does not know the value " + attribute->dump() + " of the attribute \"" + name + "\"");
}

data::Values parameters_of(const Facts& facts, const Json& rule, const data::SchemeInfo& info) {
  data::Values values;
  for (const auto& [name, spec] : member(rule, "parameters").items()) {
    const Json value = translated(facts, spec);
    if (value.is_null() && spec.contains("attribute") && !facts.attribute(spec["attribute"].get<std::string>()))
      continue;  // our default
    const data::Quantity* quantity = info.parameter(name);
    if (!quantity) throw data::Refused("it has no parameter \"" + name + "\" yet");
    values.set(name, as_kind(facts, *quantity, value));
  }
  return values;
}

host::Model model_of(const Facts& facts, const Json& rule) {
  const Json& spec = member(rule, "model");
  const auto part = [&](const char* name, const char* otherwise) {
    return static_cast<Index>(std::llround(facts.number(spec.is_null() ? otherwise : spec.value(name, otherwise))));
  };
  return {part("width", "1"), part("heads", "1"), part("train_length", "512")};
}

}  // namespace poslab::golden
