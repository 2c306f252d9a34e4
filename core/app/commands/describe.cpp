// SPDX-License-Identifier: Apache-2.0
#include "commands/describe.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "commands/plugins.hpp"
#include "options/completers.hpp"
#include "options/shared_options.hpp"
#include "poslab/data/description.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/host/description.hpp"
#include "poslab/run/library.hpp"
#include "terminal/terminal.hpp"

namespace poslab::app {
namespace {

Completion name_once(const Typed& typed) { return typed.words.empty() ? names_of_all(typed) : Completion{}; }

struct DescribeOptions final : ContainedOptions {
  DescribeOptions() : ContainedOptions("the plugin", 60) { words = {1, 1, name_once}; }
  Flag json{this, flag("json", "as JSON")};
  VariantOptions variant{this};
  PluginsOption plugins{this};
};

// The declaration, and what the variant says of itself; a scheme that refuses this variant says why instead.
std::string described(const std::shared_ptr<const host::Plugin>& plugin, const VariantOptions& variant) {
  const host::Model model = variant.model();
  try {
    const host::Scheme scheme(plugin, variant.parameters(plugin->info()), model);
    return scheme_text(plugin->info()) + variant_text(scheme);
  } catch (const data::Refused& refusal) {
    return fmt::format("{}\nwith these parameters: {}\n", scheme_text(plugin->info()), refusal.what());
  }
}

std::string described_as_json(const std::shared_ptr<const host::Plugin>& plugin, const VariantOptions& variant) {
  const host::Model model = variant.model();
  base::Json description = data::json_of(plugin->info());
  try {
    description["variant"] = host::json_of(host::Scheme(plugin, variant.parameters(plugin->info()), model));
  } catch (const data::Refused& refusal) {
    description["variant"] = {{"refused", refusal.what()}};
  }
  return base::json_text(description, 1) + "\n";
}

int describe(const DescribeOptions& asked) {
  const std::string& name = asked.words.given.front();
  const auto say = [&](const std::string& text) {
    *asked.json ? print_as_it_is(stdout, text) : print(stdout, StyledText(text).fitted(terminal_width(STDOUT_FILENO)));
  };
  const auto say_plugin = [&](const std::string& file) {
    const auto plugin = host::Plugin::open(file);
    say(*asked.json ? described_as_json(plugin, asked.variant) : described(plugin, asked.variant));
  };
  if (is_plugin_file(name)) return say_plugin(plugin_file(name, *asked.plugins)), all_well;
  const host::Library library = open_library(*asked.plugins);
  const data::Catalogue catalogue = run::catalogue_of(library);
  if (catalogue.scheme(name)) {
    say_plugin(library.at(name).file);
  } else {
    if (asked.variant.set.is_given()) throw UsageError(fmt::format("--set is for schemes, and \"{}\" is none", name));
    const data::ExperimentInfo* experiment = catalogue.experiment(name);
    if (!experiment) {
      print(stderr, run::refusals_text(library.refusals()));  // one of which may be it
      throw NoSuchName(name, catalogue);
    }
    say(*asked.json ? base::json_text(data::json_of(*experiment), 1) + "\n" : experiment_text(*experiment));
  }
  return all_well;
}

}  // namespace

Command describe_command() {
  return with_action({.name = "describe",
                      .sentence = "all about one scheme or experiment",
                      .usage = "NAME",
                      .what = "Formula, paper, parameters and claims of a scheme; measures of an experiment.",
                      .shown = {"poslab describe t5 --set bidirectional=true --heads 12 --d-model 768",
                                "poslab describe relative-shift --json"}},
                     describe);
}

}  // namespace poslab::app
