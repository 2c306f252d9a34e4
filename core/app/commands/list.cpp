// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <map>

#include "commands/command.hpp"
#include "commands/document.hpp"
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

// Lines by family.
void add_schemes(Document& document, const data::Catalogue& catalogue) {
  std::map<data::Family, Document::Lines> families;
  document.add("schemes", base::Json::array());
  for (const data::SchemeInfo& scheme : catalogue.schemes) {
    document.append("schemes", data::json_of(scheme));
    Document::Lines& lines = families[scheme.family];
    lines.push_back(fmt::format("  {:<22} {}", scheme.id, scheme.summary.empty() ? scheme.title : scheme.summary));
    if (!scheme.paper.empty()) lines.push_back(fmt::format("{:25}{}", "", scheme.paper));
  }
  for (const auto& [family, lines] : families) document.say({data::to_text(family)}), document.say(lines);
}

void add_experiments(Document& document, const data::Catalogue& catalogue) {
  document.heading("experiments");
  document.add("experiments", base::Json::array());
  for (const data::ExperimentInfo& experiment : catalogue.experiments)
    document.append("experiments", data::json_of(experiment),
                    {fmt::format("  {:<22} {}", experiment.id, experiment.question)});
}

int list(const ListOptions& asked) {
  const std::string what = asked.words.given.empty() ? "all" : asked.words.given.front();
  if (what != "all" && what != "schemes" && what != "experiments")
    throw UsageError(fmt::format("\"{}\" cannot be listed; schemes and experiments can", what));
  const host::Library library = open_library(*asked.plugins);
  const data::Catalogue catalogue = run::catalogue_of(library);
  Document document;
  if (what != "experiments") add_schemes(document, catalogue);
  if (what != "schemes") add_experiments(document, catalogue);
  print(document, *asked.json);
  print(stderr, run::refusals_text(library.refusals()));
  return all_well;
}

}  // namespace

Command list_command() {
  return with_action({.name = "list",
                      .sentence = "list schemes and experiments",
                      .usage = "[schemes|experiments]",
                      .what = "Names what there is, in one line each.",
                      .shown = {"poslab list", "poslab list schemes --json"},
                      .json = "schemes, experiments"},
                     list);
}

}  // namespace poslab::app
