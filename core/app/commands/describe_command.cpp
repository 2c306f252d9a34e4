// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "poslab/app/arguments/options.hpp"
#include "poslab/app/arguments/plugins.hpp"
#include "poslab/app/arguments/scheme_parameters.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/app/text/describe_json.hpp"
#include "poslab/app/text/describe_text.hpp"
#include "poslab/app/text/describe_variant.hpp"
#include "poslab/app/text/print.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/run/library.hpp"

namespace po = boost::program_options;

namespace poslab::app {
namespace {

// The declaration, and what the variant says of itself; a scheme that refuses this variant says why instead.
std::string described(const std::shared_ptr<const host::Plugin>& plugin, const po::variables_map& values) {
  const host::Model model = model_of(values);
  try {
    const host::Scheme scheme(plugin, parameters_of(values, plugin->info()), model);
    return scheme_text(plugin->info()) + variant_text(scheme);
  } catch (const data::Refused& refusal) {
    return fmt::format("{}\nwith these parameters: {}\n", scheme_text(plugin->info()), refusal.what());
  }
}

std::string described_as_json(const std::shared_ptr<const host::Plugin>& plugin, const po::variables_map& values) {
  const host::Model model = model_of(values);
  base::Json description = scheme_json(plugin->info());
  try {
    description["variant"] = variant_json(host::Scheme(plugin, parameters_of(values, plugin->info()), model));
  } catch (const data::Refused& refusal) {
    description["variant"] = {{"refused", refusal.what()}};
  }
  return base::json_text(description, 1) + "\n";
}

}  // namespace

int describe_command(const std::vector<std::string>& arguments) {
  Options options("describe");
  options.add()("json", "as JSON");
  add_time_limit_option(options, describe_seconds);
  add_variant_options(options);
  add_plugin_option(options);
  options.positional("NAME", 1, 1);
  const auto values = options.parse(arguments);
  const std::string name = values["NAME"].as<std::vector<std::string>>().front();
  const host::Library library = run::open_library(plugin_directories(values));
  print(stderr, notices_text(library));
  const data::Catalogue catalogue = run::catalogue_of(library);
  const bool json = values.count("json") > 0;
  if (catalogue.scheme(name)) {
    const auto plugin = host::Plugin::open(library.at(name).file);
    json ? print_as_it_is(stdout, described_as_json(plugin, values)) : print(stdout, described(plugin, values));
    return all_well;
  }
  if (values.count("set") > 0) throw UsageError(fmt::format("--set is for schemes, and \"{}\" is none", name));
  const data::ExperimentInfo* experiment = catalogue.experiment(name);
  if (!experiment) throw NoSuchName(name, catalogue);
  json ? print_as_it_is(stdout, base::json_text(experiment_json(*experiment), 1) + "\n")
       : print(stdout, experiment_text(*experiment));
  return all_well;
}

}  // namespace poslab::app
