// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/text/find_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "poslab/app/text/text_table.hpp"
#include "poslab/base/printable.hpp"

namespace poslab::app {
namespace {

using run::Hit;

constexpr std::size_t found_width = 80, longest_name = 36, most_of_a_kind = 10;

struct Group {
  Hit::Kind kind;
  const char* heading;
  const char* next;   // what to run
  const char* owner;  // its key in JSON
};
constexpr std::array<Group, 6> groups{{{Hit::Kind::scheme, "schemes", "poslab describe SCHEME", ""},
                                       {Hit::Kind::parameter, "parameters", "poslab describe SCHEME", "scheme"},
                                       {Hit::Kind::experiment, "experiments", "poslab describe EXPERIMENT", ""},
                                       {Hit::Kind::axis, "axes", "poslab describe EXPERIMENT", "experiment"},
                                       {Hit::Kind::measure, "measures", "poslab describe EXPERIMENT", "experiment"},
                                       {Hit::Kind::page, "pages", "less PAGE", ""}}};

// The first columns of a text, on one line.
std::string first_columns(const std::string& text, std::size_t columns) {
  const std::string line = base::printable(text);
  if (terminal_width_of(line) <= columns) return line;
  std::size_t end = 0;
  for (std::size_t taken = 0; taken + 3 < columns; ++taken)
    for (++end; end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80;) ++end;
  return line.substr(0, end) + "...";
}

std::string name_of(const Hit& one) {
  if (one.kind == Hit::Kind::page) return fmt::format("{}:{}", one.name, one.line);
  return one.owner.empty() ? one.name : fmt::format("{} of {}", one.name, one.owner);
}

std::string group_text(const Group& group, const std::vector<const Hit*>& members, const std::string& folder,
                       bool all) {
  const bool are_pages = group.kind == Hit::Kind::page;
  const std::string there = are_pages ? fmt::format("cd {} && ", base::printable(base::shell_word(folder))) : "";
  std::string text = fmt::format("{}: {}{}\n", group.heading, there, group.next);
  const std::size_t shown = all ? members.size() : std::min(members.size(), most_of_a_kind);
  std::size_t columns = 0;
  for (std::size_t i = 0; i < shown; ++i) columns = std::max(columns, terminal_width_of(name_of(*members[i])));
  columns = std::min(columns, longest_name);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string name = fmt::format("{:<{}}", base::printable(name_of(*members[i])), columns);
    const std::size_t used = 4 + terminal_width_of(name);
    const bool alone = used + 12 > found_width;
    text += alone ? fmt::format("  {}\n", first_columns(name, found_width - 2))
                  : fmt::format("  {}  {}\n", name, first_columns(members[i]->text, found_width - used));
  }
  if (shown < members.size()) text += fmt::format("  ... and {} more: --all\n", members.size() - shown);
  return text;
}

std::vector<const Hit*> of_kind(const std::vector<Hit>& found, Hit::Kind kind) {
  std::vector<const Hit*> members;
  for (const Hit& one : found)
    if (one.kind == kind) members.push_back(&one);
  return members;
}

}  // namespace

std::string hits_text(const std::vector<Hit>& found, const std::filesystem::path& folder, bool all) {
  std::string text;
  for (const Group& group : groups) {
    const auto members = of_kind(found, group.kind);
    if (!members.empty()) text += (text.empty() ? "" : "\n") + group_text(group, members, folder.string(), all);
  }
  return text;
}

base::Json hits_json(const std::vector<Hit>& found) {
  base::Json json = base::Json::object();
  for (const Group& group : groups) {
    json[group.heading] = base::Json::array();
    for (const Hit* one : of_kind(found, group.kind)) {
      base::Json entry{{"name", one->name}};
      if (*group.owner) entry[group.owner] = one->owner;
      if (one->kind == Hit::Kind::page) entry["line"] = one->line;
      entry["text"] = one->text;
      json[group.heading].push_back(std::move(entry));
    }
  }
  return json;
}

}  // namespace poslab::app
