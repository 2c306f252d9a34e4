// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <map>

#include "poslab/app/commands.hpp"
#include "poslab/app/describe_text.hpp"
#include "poslab/app/options.hpp"
#include "poslab/app/plugins.hpp"

namespace poslab::app {
namespace {

std::string schemes_text(const base::Catalogue& catalogue) {
  std::map<base::Family, std::vector<const base::SchemeInfo*>> families;
  for (const base::SchemeInfo& scheme : catalogue.schemes) families[scheme.family].push_back(&scheme);
  std::string text;
  for (const auto& [family, schemes] : families) {
    text += fmt::format("{}\n", base::to_text(family));
    for (const base::SchemeInfo* scheme : schemes) {
      text += fmt::format("  {:<22} {}\n", scheme->id, scheme->summary.empty() ? scheme->title : scheme->summary);
      if (!scheme->paper.empty()) text += fmt::format("{:25}{}\n", "", scheme->paper);
    }
  }
  return text;
}

std::string experiments_text(const base::Catalogue& catalogue) {
  std::string text = "experiments\n";
  for (const base::ExperimentInfo& experiment : catalogue.experiments)
    text += fmt::format("  {:<22} {}\n", experiment.id, experiment.question);
  return text;
}

std::string as_json(const base::Catalogue& catalogue, bool schemes, bool experiments) {
  std::string text = "{";
  if (schemes) {
    text += "\"schemes\": [";
    for (std::size_t i = 0; i < catalogue.schemes.size(); ++i)
      text += (i ? ",\n " : "") + scheme_json(catalogue.schemes[i]);
    text += experiments ? "],\n" : "]";
  }
  if (experiments) {
    text += "\"experiments\": [";
    for (std::size_t i = 0; i < catalogue.experiments.size(); ++i)
      text += (i ? ",\n " : "") + experiment_json(catalogue.experiments[i]);
    text += "]";
  }
  return text + "}\n";
}

}  // namespace

int list_command(const std::vector<std::string>& arguments) {
  Options options("list");
  options.add()("json", "as JSON");
  add_plugin_option(options);
  options.positional("WHAT", 0, 1);
  const auto values = options.parse(arguments);
  const std::string what = values.count("WHAT") > 0 ? values["WHAT"].as<std::vector<std::string>>().front() : "all";
  if (what != "all" && what != "schemes" && what != "experiments")
    throw UsageError(fmt::format("\"{}\" cannot be listed; schemes and experiments can", what));
  const bool schemes = what != "experiments", experiments = what != "schemes";
  const host::Library library = open_library(values);
  const base::Catalogue catalogue = catalogue_of(library);
  if (values.count("json") > 0) {
    std::fputs(as_json(catalogue, schemes, experiments).c_str(), stdout);
  } else {
    if (schemes) std::fputs(schemes_text(catalogue).c_str(), stdout);
    if (schemes && experiments) std::fputs("\n", stdout);
    if (experiments) std::fputs(experiments_text(catalogue).c_str(), stdout);
  }
  if (!library.refusals().empty()) std::fputs((refusals_text(library) + "\n").c_str(), stderr);
  return all_well;
}

}  // namespace poslab::app
