// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>

#include "poslab/app/commands.hpp"
#include "poslab/app/describe_text.hpp"
#include "poslab/app/options.hpp"
#include "poslab/app/plugins.hpp"
#include "poslab/base/text.hpp"

namespace poslab::app {

int describe_command(const std::vector<std::string>& arguments) {
  Options options("describe");
  options.add()("json", "as JSON");
  add_plugin_option(options);
  options.positional("NAME", 1, 1);
  const auto values = options.parse(arguments);
  const std::string name = values["NAME"].as<std::vector<std::string>>().front();
  const base::Catalogue catalogue = catalogue_of(open_library(values));
  const bool json = values.count("json") > 0;
  if (const base::SchemeInfo* scheme = catalogue.scheme(name)) {
    std::fputs((json ? scheme_json(*scheme) + "\n" : scheme_text(*scheme)).c_str(), stdout);
    return all_well;
  }
  if (const base::ExperimentInfo* experiment = catalogue.experiment(name)) {
    std::fputs((json ? experiment_json(*experiment) + "\n" : experiment_text(*experiment)).c_str(), stdout);
    return all_well;
  }
  std::vector<std::string> known;
  for (const base::SchemeInfo& scheme : catalogue.schemes) known.push_back(scheme.id);
  for (const base::ExperimentInfo& experiment : catalogue.experiments) known.push_back(experiment.id);
  throw base::Error(fmt::format("no scheme or experiment is called \"{}\"{}", name, base::did_you_mean(name, known)));
}

}  // namespace poslab::app
