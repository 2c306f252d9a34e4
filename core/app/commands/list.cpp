// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "commands/command.hpp"
#include "commands/describe.hpp"
#include "commands/exit_code.hpp"
#include "commands/plugins.hpp"
#include "options/shared_options.hpp"
#include "poslab/data/description.hpp"
#include "poslab/run/library.hpp"
#include "terminal/terminal.hpp"

namespace poslab::app {
namespace {

Completion listable(const Typed& typed) {
  return {typed.words.empty() ? std::vector<std::string>{"experiments", "schemes"} : std::vector<std::string>()};
}

struct ListOptions final : Options {
  ListOptions() { words = {0, 1, listable}; }
  Flag json{this, flag("json", "as JSON")};
  PluginsOption plugins{this};
};

// By family.
std::string schemes_text(const data::Catalogue& catalogue) {
  std::map<data::Family, std::vector<const data::SchemeInfo*>> families;
  for (const data::SchemeInfo& scheme : catalogue.schemes) families[scheme.family].push_back(&scheme);
  std::string text;
  for (const auto& [family, schemes] : families) {
    text += fmt::format("{}\n", data::to_text(family));
    for (const data::SchemeInfo* scheme : schemes) {
      text += fmt::format("  {:<22} {}\n", scheme->id, scheme->summary.empty() ? scheme->title : scheme->summary);
      if (!scheme->paper.empty()) text += fmt::format("{:25}{}\n", "", scheme->paper);
    }
  }
  return text;
}

std::string experiments_text(const data::Catalogue& catalogue) {
  std::string text = "experiments\n";
  for (const data::ExperimentInfo& experiment : catalogue.experiments)
    text += fmt::format("  {:<22} {}\n", experiment.id, experiment.question);
  return text;
}

std::string as_json(const data::Catalogue& catalogue, bool schemes, bool experiments) {
  base::Json listed = base::Json::object();
  if (schemes) {
    listed["schemes"] = base::Json::array();
    for (const data::SchemeInfo& scheme : catalogue.schemes) listed["schemes"].push_back(data::json_of(scheme));
  }
  if (experiments) {
    listed["experiments"] = base::Json::array();
    for (const data::ExperimentInfo& info : catalogue.experiments) listed["experiments"].push_back(data::json_of(info));
  }
  return base::json_text(listed, 1) + "\n";
}

int list(const ListOptions& asked) {
  const std::string what = asked.words.given.empty() ? "all" : asked.words.given.front();
  if (what != "all" && what != "schemes" && what != "experiments")
    throw UsageError(fmt::format("\"{}\" cannot be listed; schemes and experiments can", what));
  const bool schemes = what != "experiments", experiments = what != "schemes";
  const host::Library library = open_library(*asked.plugins);
  const data::Catalogue catalogue = run::catalogue_of(library);
  if (*asked.json)
    print_as_it_is(stdout, as_json(catalogue, schemes, experiments));
  else
    print(stdout, (schemes ? schemes_text(catalogue) : "") + (schemes && experiments ? "\n" : "") +
                      (experiments ? experiments_text(catalogue) : ""));
  print(stderr, run::refusals_text(library.refusals()));
  return all_well;
}

}  // namespace

Command list_command() {
  return with_action({.name = "list",
                      .sentence = "list schemes and experiments",
                      .usage = "[schemes|experiments]",
                      .what = "Names what there is, in one line each.",
                      .shown = {"poslab list", "poslab list schemes --json"}},
                     list);
}

}  // namespace poslab::app
