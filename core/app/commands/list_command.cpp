// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "poslab/app/arguments/options.hpp"
#include "poslab/app/arguments/plugins.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/app/text/describe_json.hpp"
#include "poslab/app/text/describe_text.hpp"
#include "poslab/app/text/print.hpp"
#include "poslab/run/library.hpp"

namespace poslab::app {
namespace {

std::string as_json(const data::Catalogue& catalogue, bool schemes, bool experiments) {
  base::Json listed = base::Json::object();
  if (schemes) {
    listed["schemes"] = base::Json::array();
    for (const data::SchemeInfo& scheme : catalogue.schemes) listed["schemes"].push_back(scheme_json(scheme));
  }
  if (experiments) {
    listed["experiments"] = base::Json::array();
    for (const data::ExperimentInfo& info : catalogue.experiments)
      listed["experiments"].push_back(experiment_json(info));
  }
  return base::json_text(listed, 1) + "\n";
}

std::string as_text(const data::Catalogue& catalogue, bool schemes, bool experiments) {
  return (schemes ? schemes_text(catalogue) : "") + (schemes && experiments ? "\n" : "") +
         (experiments ? experiments_text(catalogue) : "");
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
  const host::Library library = run::open_library(plugin_directories(values));
  print(stderr, notices_text(library));
  const data::Catalogue catalogue = run::catalogue_of(library);
  if (values.count("json") > 0)
    print_as_it_is(stdout, as_json(catalogue, schemes, experiments));
  else
    print(stdout, as_text(catalogue, schemes, experiments));
  if (!library.refusals().empty()) print(stderr, run::refusals_text(library.refusals()) + "\n");
  return all_well;
}

}  // namespace poslab::app
