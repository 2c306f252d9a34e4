// SPDX-License-Identifier: Apache-2.0
#include "commands/texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "commands/plugins.hpp"
#include "options/shared_options.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/run/library.hpp"
#include "terminal/styled_text.hpp"
#include "terminal/terminal.hpp"

namespace poslab::app {
namespace {

using run::Hit;

constexpr std::size_t max_name_length = 36, max_of_a_kind = 10;

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
  return StyledText(base::printable(text)).shortened(columns).plain();
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
  const std::size_t shown = all ? members.size() : std::min(members.size(), max_of_a_kind);
  std::size_t columns = 0;
  for (std::size_t i = 0; i < shown; ++i) columns = std::max(columns, display_width(name_of(*members[i])));
  columns = std::min(columns, max_name_length);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string name = fmt::format("{:<{}}", base::printable(name_of(*members[i])), columns);
    const std::size_t used = 4 + display_width(name);
    const bool alone = used + 12 > page_columns;
    text += alone ? fmt::format("  {}\n", first_columns(name, page_columns - 2))
                  : fmt::format("  {}  {}\n", name, first_columns(members[i]->text, page_columns - used));
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

struct FindOptions final : Options {
  FindOptions() { words = {1, Words::any}; }  // of words there are too many to complete one
  Flag all{this, flag("all", "everything, and not the nearest few of each kind")};
  Flag json{this, flag("json", "as JSON: all")};
  PluginsOption plugins{this};
};

int find(const FindOptions& asked) {
  const data::Catalogue catalogue = run::catalogue_of(open_library(*asked.plugins));
  const std::vector<Hit> found = run::find(asked.words.given, catalogue, shared_folder());
  if (*asked.json) print_as_it_is(stdout, base::json_text(hits_json(found), 1) + "\n");
  if (found.empty()) throw run::nothing_found(asked.words.given, catalogue);
  if (!*asked.json) print(stdout, hits_text(found, shared_folder(), *asked.all));
  return all_well;
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

Command find_command() {
  return with_action({.name = "find",
                      .sentence = "schemes, measures, pages ... by a word",
                      .usage = "WORD ...",
                      .what = "Looks for all of the words in the names and sentences of schemes, parameters, "
                              "experiments, axes and measures, and in the pages; the nearest come first.",
                      .shown = {"poslab find min_distance", "poslab find wavelength base --all"},
                      .exit_codes = "0 something was found, 2 nothing was."},
                     find);
}

}  // namespace poslab::app
