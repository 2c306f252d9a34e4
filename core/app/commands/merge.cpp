// SPDX-License-Identifier: Apache-2.0
#include "commands/texts.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "options/completers.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "poslab/process/interrupt.hpp"
#include "terminal/terminal.hpp"

namespace poslab::app {
namespace {

struct MergeOptions final : Options {
  MergeOptions() { words = {1, Words::any, results_files}; }
  Text output{this, option("output", "FILE", "results file to write", results_files, nullptr, 'o'),
              accepted(output_name())};
  Flag mixed_plugins{this, flag("mixed-plugins", "take shards made with different files of one plugin")};
  Flag partial{this, flag("partial", "merge what is there, though shards or cells are missing")};
  Flag fresh{this, flag("fresh", "replace whatever the output holds")};
  Flag verbose{this, flag("verbose", "end with every measure, too")};
};

std::string note(const char* sentence, const std::set<std::string>& words) {
  return words.size() < 2 ? ""
                          : fmt::format("poslab: {}: {}\n", sentence,
                                        base::printable(base::enumerate({words.begin(), words.end()})));
}

int merge(const MergeOptions& asked) {
  if (!asked.output.is_given()) throw UsageError("-o FILE is missing: where the merged results go");
  const run::MergeRequest request{
      asked.words.given, *asked.output, {*asked.mixed_plugins, *asked.partial}, *asked.fresh, asked.arguments()};
  const process::InterruptGuard guard;
  const run::MergeResult result = run::merge_shards(
      request, [](const run::Mixture& mixture) { print(stderr, mixture_text(mixture)); }, guard.stop());
  print(stdout, merge_text(result, request.output, summary_style(*asked.verbose)));
  return exit_code(result.ending);
}

}  // namespace

std::string mixture_text(const run::Mixture& mixture) {
  return note("these shards were made by builds of different commits", mixture.commits) +
         note("these shards were made on different processors, so that another run may differ in last bits",
              mixture.processors);
}

StyledText merge_text(const run::MergeResult& result, const std::string& output, const SummaryStyle& style) {
  if (result.ending == run::Ending::interrupted) return "";
  StyledText text = summary({result.title, output, result.cells, result.catalogue, result.outcomes, result.expectations,
                             result.answers, result.plugin_checks, result.weights_files},
                            style) +
                    closing_line(result.outcomes, result.seconds, output);
  if (!result.complete) text += fmt::format("partial: {} of {} cells\n", result.cells.size(), result.planned);
  return text;
}

Command merge_command() {
  return with_action(
      {.name = "merge",
       .sentence = "the shards of a run as one results file",
       .usage = "-o FILE SHARD.h5 ...",
       .what = "Writes what one run would have written; refuses shards that do not belong together or are "
               "not all there, and says which.",
       .shown = {"poslab run a.toml --shard 1/2; poslab run a.toml --shard 2/2", "poslab merge -o a.h5 a.*-of-2.h5"},
       .exit_codes = "as of run; 2 nothing was merged, 4 the disk is full."},
      merge);
}

}  // namespace poslab::app
