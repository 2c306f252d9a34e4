// SPDX-License-Identifier: Apache-2.0
// The only calls of toml++'s parser.
#include "readers/table_reader.hpp"

#include <algorithm>

#include "poslab/base/printable.hpp"
#include "readers/source_text.hpp"

namespace poslab::study {
namespace {

SourceLocation location_at(const toml::source_position& position) {
  return {static_cast<int>(position.line), static_cast<int>(position.column)};
}

}  // namespace

SourceLocation location_of(const toml::node& node) { return location_at(node.source().begin); }
SourceLocation location_of(const toml::key& key) { return location_at(key.source().begin); }

toml::table parse_toml(const std::string& text, const std::string& path) {
  if (const auto hazard = find_hazard(text)) throw StudyErrors({{path, hazard->location, hazard->message}});
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw StudyErrors(
        {{path, location_at(error.source().begin), base::printable(base::shortened(error.description(), 300))}});
  }
}

const char* kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::none: return "nothing";
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "a list";
    case toml::node_type::string: return "a text";
    case toml::node_type::integer: return "an integer";
    case toml::node_type::floating_point: return "a number";
    case toml::node_type::boolean: return "true or false";
    case toml::node_type::date: return "a date";
    case toml::node_type::time: return "a time";
    case toml::node_type::date_time: return "a date and time";
  }
  return "?";
}

std::vector<Entry> in_file_order(const toml::table& table) {
  std::vector<Entry> entries;
  for (const auto& [key, node] : table) entries.push_back({std::string(key.str()), location_of(key), &node});
  std::ranges::stable_sort(entries, {}, &Entry::location);
  return entries;
}

}  // namespace poslab::study
