// SPDX-License-Identifier: Apache-2.0
#include "commands/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"

namespace poslab::app {
namespace {

// A command that performs the plugin's cells without workers, in a debugger if wanted.
StyledText quarantine_text(const workers::QuarantinedPlugin& plugin, const run::PreparedRun& run,
                           const std::vector<std::string>& directories) {
  std::vector<std::string> words{"poslab", "run", run.request.study, "--only", plugin.scheme, "--in-process"};
  for (const std::string& directory : directories) words.insert(words.end(), {"--plugins", directory});
  for (const auto& [name, values] : run.request.overrides.axes)
    words.insert(words.end(), {"--axis", fmt::format("{}={}", name, values)});
  for (const auto& [name, file] : run.request.supply.files)
    words.insert(words.end(), {"--data", fmt::format("{}={}", name, file)});
  for (const std::string& weights : run.request.supply.weights) words.insert(words.end(), {"--weights", weights});
  words.insert(words.end(), {"-o", plugin.scheme + "-alone.h5"});
  return fmt::format("\n{} was quarantined: it ended worker after worker. Alone, and with a debugger if you like:\n  ",
                     plugin.scheme) +
         StyledText(Style::command, base::shell_words(words)) +
         fmt::format("\n  ({}, sha256 {})\n", base::printable(plugin.file), plugin.file_hash);
}

}  // namespace

StyledText result_text(const run::PreparedRun& run, const run::RunResult& result,
                       const std::vector<std::string>& directories, const SummaryStyle& style) {
  if (result.ending == run::Ending::not_written) return "";
  const std::vector<data::WeightsFile> files = run.supply
                                                   ? data::weights_files_of(run.supply->provenance(run.part.plan.cells))
                                                   : std::vector<data::WeightsFile>();
  const Conclusions conclusions{
      run.study.title,     run.output,     run.part.plan.cells,       run.catalogue, result.outcomes,
      result.expectations, result.answers, run.request.plugin_checks, files};
  // A shard shows only what went wrong: its merge answers.
  StyledText text = run.request.shard && !style.verbose ? failures_text(conclusions) : summary(conclusions, style);
  if (run.request.shard && !result.expectations.empty()) text += "\nexpectations: judged by poslab merge\n";
  for (const workers::QuarantinedPlugin& plugin : result.quarantined) text += quarantine_text(plugin, run, directories);
  return text + closing_line(result.outcomes, result.seconds, run.output);
}

std::string problem_text(const run::PreparedRun& run, const run::RunResult& result) {
  if (result.ending == run::Ending::not_written)
    return fmt::format(
        "poslab: {}\nposlab: the run stops here; the same command goes on from there (poslab status {} says how far it "
        "is)\n",
        base::printable(result.problem), base::printable(run.journal.string()));
  if (result.ending != run::Ending::stopped_at_failure) return "";
  const auto left = std::count_if(result.outcomes.begin(), result.outcomes.end(),
                                  [](const auto& outcome) { return !outcome.has_value(); });
  return fmt::format(
      "poslab: stopped at the first failed cell, with {} of {} left; the same command without --fail-fast goes on "
      "from there\n",
      left, result.outcomes.size());
}

std::string narrowing_text(const run::PreparedRun& run, std::size_t before) {
  return fmt::format("poslab: {} has the results of {} cells, and this run leaves {} in it; -o FILE keeps both, {}\n",
                     base::printable(run.output), before, run.part.plan.cells.size(),
                     run.request.fresh
                         ? "and --fresh forgets the others"
                         : "and the others come back when they are asked for again: the journal has them");
}

std::string staying_text(const run::PreparedRun& run) {
  if (run.staying.empty()) return "";
  return fmt::format("poslab: {} has {} from a run with --only before, which {} in it; --fresh forgets that\n",
                     base::printable(run.output), base::printable(base::enumerate(run.staying)),
                     run.staying.size() == 1 ? "stays" : "stay");
}

std::string unchecked_text(const std::vector<std::string>& schemes) {
  if (schemes.empty()) return "";
  return fmt::format("poslab: {}: {}; --check-plugins, or poslab check, tries to refute what a plugin promises\n",
                     data::PluginCheck{data::PluginCheck::Result::never}.text(), base::enumerate(schemes));
}

}  // namespace poslab::app
