// SPDX-License-Identifier: Apache-2.0
#include "commands/texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "commands/plugins.hpp"
#include "options/shared_options.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/run/library.hpp"
#include "terminal/styled_text.hpp"

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

std::string line_of(const Hit& one, std::size_t columns) {
  const std::string name = fmt::format("{:<{}}", base::printable(name_of(one)), columns);
  const std::size_t used = 4 + display_width(name);
  if (used + 12 > page_columns) return "  " + first_columns(name, page_columns - 2);
  return fmt::format("  {}  {}", name, first_columns(one.text, page_columns - used));
}

base::Json json_of(const Hit& one, const Group& group) {
  base::Json json{{"name", one.name}};
  if (*group.owner) json[group.owner] = one.owner;
  if (one.kind == Hit::Kind::page) json["line"] = one.line;
  json["text"] = one.text;
  return json;
}

void add_group(Document& document, const Group& group, const std::vector<Hit>& found, const std::string& folder,
               bool all) {
  std::vector<const Hit*> members;
  for (const Hit& one : found)
    if (one.kind == group.kind) members.push_back(&one);
  const std::size_t shown = all ? members.size() : std::min(members.size(), max_of_a_kind);
  std::size_t columns = 0;
  for (std::size_t i = 0; i < shown; ++i) columns = std::max(columns, display_width(name_of(*members[i])));
  columns = std::min(columns, max_name_length);
  const bool are_pages = group.kind == Hit::Kind::page;
  const std::string there = are_pages ? fmt::format("cd {} && ", base::printable(base::shell_word(folder))) : "";
  document.heading(fmt::format("{}: {}{}", group.heading, there, group.next));
  document.add(group.heading, base::Json::array());
  for (std::size_t i = 0; i < members.size(); ++i)
    document.append(group.heading, json_of(*members[i], group),
                    i < shown ? Document::Lines{line_of(*members[i], columns)} : Document::Lines{});
  if (shown < members.size()) document.say({fmt::format("  ... and {} more: --all", members.size() - shown)});
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
  if (!found.empty() || *asked.json) print(hits_document(found, shared_folder(), *asked.all), *asked.json);
  if (found.empty()) throw run::nothing_found(asked.words.given, catalogue);
  return all_well;
}

}  // namespace

Document hits_document(const std::vector<Hit>& found, const std::filesystem::path& folder, bool all) {
  Document document;
  for (const Group& group : groups) add_group(document, group, found, folder.string(), all);
  return document;
}

Command find_command() {
  return with_action({.name = "find",
                      .sentence = "schemes, measures, pages ... by a word",
                      .usage = "WORD ...",
                      .what = "Looks for all of the words in the names and sentences of schemes, parameters, "
                              "experiments, axes and measures, and in the pages; the nearest come first.",
                      .shown = {"poslab find min_distance", "poslab find wavelength base --all"},
                      .exit_codes = "0 something was found, 2 nothing was.",
                      .json = "schemes, parameters, experiments, axes, measures, pages"},
                     find);
}

}  // namespace poslab::app
