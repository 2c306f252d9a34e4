// SPDX-License-Identifier: Apache-2.0
#include "commands/describe.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "commands/plugins.hpp"
#include "options/completers.hpp"
#include "options/shared_options.hpp"
#include "poslab/data/refusal.hpp"
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
Document plugin_document(const std::string& file, const VariantOptions& variant) {
  const auto plugin = host::Plugin::open(file);
  const host::Model model = variant.model();
  Document document = scheme_document(plugin->info());
  try {
    add_variant(document, host::Scheme(plugin, variant.parameters(plugin->info()), model));
  } catch (const data::Refused& refusal) {
    add_refusal(document, refusal.what());
  }
  return document;
}

Document document_of(const DescribeOptions& asked) {
  const std::string& name = asked.words.given.front();
  if (is_plugin_file(name)) return plugin_document(plugin_file(name, *asked.plugins), asked.variant);
  const host::Library library = open_library(*asked.plugins);
  const data::Catalogue catalogue = run::catalogue_of(library);
  if (catalogue.scheme(name)) return plugin_document(library.at(name).file, asked.variant);
  if (asked.variant.set.is_given()) throw UsageError(fmt::format("--set is for schemes, and \"{}\" is none", name));
  if (const data::ExperimentInfo* experiment = catalogue.experiment(name)) return experiment_document(*experiment);
  print(stderr, run::refusals_text(library.refusals()));  // one of which may be it
  throw NoSuchName(name, catalogue);
}

int describe(const DescribeOptions& asked) {
  print(document_of(asked), *asked.json, terminal_width(STDOUT_FILENO));
  return all_well;
}

}  // namespace

Command describe_command() {
  return with_action(
      {.name = "describe",
       .sentence = "all about one scheme or experiment",
       .usage = "NAME",
       .what = "Formula, paper, parameters and claims of a scheme; measures of an experiment.",
       .shown = {"poslab describe t5 --set bidirectional=true --heads 12 --d-model 768",
                 "poslab describe relative-shift --json"},
       .json = "id, title, version, family, summary, formula, paper, used_in, real_positions, "
               "least_axes, most_axes, file, sha256, parameters, variant; question, axes, files, measures"},
      describe);
}

}  // namespace poslab::app
