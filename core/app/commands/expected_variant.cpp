// SPDX-License-Identifier: Apache-2.0
#include "commands/identify.hpp"

#include <fmt/format.h>

#include <set>

#include "commands/plugins.hpp"
#include "options/options.hpp"
#include "poslab/data/description.hpp"
#include "poslab/data/value.hpp"

namespace poslab::app {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// Split at the commas that are outside of brackets.
std::vector<std::string> assignments_of(const std::string& text) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (const char c : text) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.push_back(trimmed(part)), part.clear();
    else
      part += c;
  }
  if (!trimmed(part).empty() || !parts.empty()) parts.push_back(trimmed(part));
  return parts;
}

data::Value value_of(const data::Quantity& parameter, std::string word) {
  if (parameter.kind == data::Kind::choice && word != "unset") return word;
  if (word.size() >= 2 && word.front() == '[' && word.back() == ']') {
    word = word.substr(1, word.size() - 2);
    std::erase(word, ' ');  // as import and identify write lists
  }
  data::Value value = data::parse_value(word);
  if (parameter.kind == data::Kind::list)
    if (const auto* number = std::get_if<double>(&value)) value = std::vector<double>{*number};
  return value;
}

}  // namespace

identify::Named expected_variant(const std::string& text, const host::Library& library) {
  const std::size_t open = text.find('(');
  const bool has_values = open != std::string::npos;
  if (has_values && text.back() != ')')
    throw UsageError(fmt::format("--expect wants SCHEME or SCHEME(NAME=VALUE, ...), not \"{}\"", text));
  const data::SchemeInfo& scheme = scheme_in(library, trimmed(text.substr(0, open)));
  identify::Named named{scheme.id, {}};
  if (!has_values) return named;
  std::set<std::string> given;
  for (const std::string& assignment : assignments_of(text.substr(open + 1, text.size() - open - 2))) {
    std::pair<std::string, std::string> named_value;
    read("expect", assignment, named_value);
    const auto& [name, word] = named_value;
    const data::Quantity* parameter = scheme.parameter(trimmed(name));
    if (!parameter) throw UsageError("--expect: " + data::no_such_parameter(scheme, trimmed(name)));
    if (!given.insert(parameter->name).second)
      throw UsageError(fmt::format("--expect: {} is given twice", parameter->name));
    const data::Value value = value_of(*parameter, trimmed(word));
    if (const auto refusal = data::why_not(*parameter, value)) throw UsageError("--expect: " + refusal->reason);
    if (const data::Value typed = data::coerce(*parameter, value); typed != parameter->default_value)
      named.parameters.set(parameter->name, typed);
  }
  return named;
}

}  // namespace poslab::app
