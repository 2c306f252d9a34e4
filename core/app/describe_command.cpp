// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>

#include "poslab/app/commands.hpp"
#include "poslab/app/describe_text.hpp"
#include "poslab/app/describe_variant.hpp"
#include "poslab/app/options.hpp"
#include "poslab/app/plugins.hpp"
#include "poslab/app/scheme_parameters.hpp"
#include "poslab/base/error.hpp"
#include "poslab/base/text.hpp"

namespace po = boost::program_options;

namespace poslab::app {
namespace {

// The declaration, and what the variant says of itself; a scheme that refuses this variant says why instead.
int describe_scheme(const std::shared_ptr<const host::Plugin>& plugin, const po::variables_map& values) {
  const bool json = values.count("json") > 0;
  const host::Model model = model_of(values);
  std::string variant;
  try {
    const host::Scheme scheme(plugin, parameters_of(values, plugin->info()), model);
    variant = json ? variant_json(scheme) : variant_text(scheme);
  } catch (const base::Refused& refusal) {
    const std::string sentence = refusal.what();
    variant =
        json ? "\"refused\": " + base::to_json(base::Value{sentence}) : "\nwith these parameters: " + sentence + "\n";
  }
  std::string text = json ? scheme_json(plugin->info()) : scheme_text(plugin->info());
  if (json) text = text.substr(0, text.size() - 1) + ", \"variant\": {" + variant + "}}\n";
  std::fputs((json ? text : text + variant).c_str(), stdout);
  return all_well;
}

}  // namespace

int describe_command(const std::vector<std::string>& arguments) {
  Options options("describe");
  options.add()("json", "as JSON");
  add_variant_options(options);
  add_plugin_option(options);
  options.positional("NAME", 1, 1);
  const auto values = options.parse(arguments);
  const std::string name = values["NAME"].as<std::vector<std::string>>().front();
  const host::Library library = open_library(values);
  const base::Catalogue catalogue = catalogue_of(library);
  const bool json = values.count("json") > 0;
  if (catalogue.scheme(name)) return describe_scheme(host::Plugin::open(library.at(name).file), values);
  if (values.count("set") > 0) throw UsageError(fmt::format("--set is for schemes, and \"{}\" is none", name));
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
