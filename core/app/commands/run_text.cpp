// SPDX-License-Identifier: Apache-2.0
// A plan in words, and what a run says before it begins and at its end.
#include "commands/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/count.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "text/progress.hpp"

namespace poslab::app {
namespace {

std::string share_line(const std::string& name, const run::PlanShare& share, int threads) {
  return fmt::format("{:<24}{:>8}{:>8}{:>9}{:>16}{:>14}\n", name, share.to_run, share.kept, share.skipped,
                     base::human_bytes(share.bytes),
                     base::human_seconds(run::guessed_seconds(share.operations, threads)));
}

std::string shares_text(const run::PlanShares& shares, int threads) {
  std::string text = fmt::format("{:<24}{:>8}{:>8}{:>9}{:>16}{:>14}\n", "experiment", "to run", "kept", "skipped",
                                 "largest cell", "time, guessed");
  for (const run::PlanShare& share : shares.experiments) text += share_line(share.experiment, share, threads);
  return text + share_line("all", shares.all, threads);
}

std::string counted(const std::map<run::CellsWithReason, std::size_t>& counts) {
  std::string text;
  for (const auto& [cells, count] : counts)
    text += fmt::format("  {:>4} x {}\n", count,
                        base::printable(fmt::format("{} of {}: {}", cells.experiment, cells.variant, cells.reason)));
  return text;
}

std::string reasons_text(const run::PlanOverview& overview) {
  const run::PlanShares& shares = overview.shares;
  std::string text;
  for (const auto& [state, count] : shares.states)
    text += fmt::format("  {:>6} cell{}: {}\n", count, count == 1 ? "" : "s", journal::to_text(state));
  if (overview.going_on > 0)
    text += fmt::format("  {:>6} {} on from a checkpoint\n", overview.going_on,
                        overview.going_on == 1 ? "cell of these goes" : "cells of these go");
  if (!shares.of_unknown_needs.empty())
    text += "\nWhat they need is not known, and not in the numbers above:\n" + counted(shares.of_unknown_needs);
  if (!shares.skipped.empty()) text += "\nSkipped:\n" + counted(shares.skipped);
  return text;
}

std::string cells_text(const study::Plan& plan, const std::vector<std::string>& reasons) {
  std::string text = "\nCells:\n";
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const data::Cell& cell = plan.cells[i];
    text += base::printable(fmt::format("  {} of {} {} repeat={}: {}", cell.experiment, cell.variant.label,
                                        outer_axes_text(cell), cell.repeat, reasons[i])) +
            "\n";
  }
  return text;
}

// A command that performs the plugin's cells without workers, in a debugger if wanted.
StyledText quarantine_text(const workers::QuarantinedPlugin& plugin, const run::PreparedRun& run,
                           const std::vector<std::string>& directories) {
  std::vector<std::string> words{"poslab", "run",         base::operand(run.request.study),
                                 "--only", plugin.scheme, "--in-process"};
  for (const std::string& directory : directories) words.insert(words.end(), {"--plugins", directory});
  for (const auto& [name, values] : run.request.overrides.axes)
    words.insert(words.end(), {"--axis", fmt::format("{}={}", name, values)});
  for (const auto& [name, value] : run.request.overrides.values)
    words.insert(words.end(), {"--only", fmt::format("{}={}", name, value)});
  for (const auto& [name, file] : run.request.supply.files)
    words.insert(words.end(), {"--data", fmt::format("{}={}", name, file)});
  for (const std::string& weights : run.request.supply.weights) words.insert(words.end(), {"--weights", weights});
  for (const std::string& network : run.request.supply.networks) words.insert(words.end(), {"--network", network});
  if (!run.request.beside.empty()) words.insert(words.end(), {"--beside", run.request.beside});
  words.insert(words.end(), {"-o", plugin.scheme + "-alone.h5"});
  return fmt::format("\n{} was quarantined: it ended worker after worker. Alone, and with a debugger if you like:\n  ",
                     plugin.scheme) +
         StyledText(Style::command, base::shell_words(words)) +
         fmt::format("\n  ({}, sha256 {})\n", base::printable(plugin.file), plugin.file_hash);
}

// What goes on, and does neither begin anew nor stop at the same place.
std::string same_command(bool fresh, bool fail_fast) {
  std::vector<std::string> without;
  if (fresh) without.emplace_back("--fresh");
  if (fail_fast) without.emplace_back("--fail-fast");
  return "the same command" + (without.empty() ? "" : " without " + base::enumerate(without));
}

}  // namespace

std::string shard_line(const run::PreparedRun& run) {
  if (!run.request.shard) return "";
  return fmt::format("shard {}: {} of {}\n", run.request.shard->text(), run.part.plan.cells.size(),
                     base::counted(run.part.whole, "cell"));
}

std::string plan_text(const run::PreparedRun& run, const run::PlanOverview& overview, bool verbose) {
  const data::Placement& placement = run.study.placement;
  return shard_line(run) + base::printable(run.study.title) + "\n" +
         (placement.is_plain() ? "" : fmt::format("positions = {}\n", placement.text())) + "\n" +
         shares_text(overview.shares, run.request.threads) +
         fmt::format("\n{}, memory for cells {}.\n", base::counted(run.request.threads, "thread"),
                     base::human_bytes(run.request.memory)) +
         reasons_text(overview) + (overview.unasked > 0 ? unasked_text(overview.unasked) + "\n" : "") +
         (verbose ? cells_text(run.part.plan, overview.reasons) : "");
}

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
  if (run.request.shard && !run.part.plan.expectations.empty()) text += "\nexpectations: judged by poslab merge\n";
  for (const workers::QuarantinedPlugin& plugin : result.quarantined) text += quarantine_text(plugin, run, directories);
  return text + closing_line(result.outcomes, result.seconds, run.request.shard ? run.journal.string() : run.output);
}

std::string problem_text(const run::PreparedRun& run, const run::RunResult& result) {
  if (result.ending == run::Ending::not_written)
    return fmt::format("poslab: {}\nposlab: the run stops here; {} goes on from there ({} says how far it is)\n",
                       base::printable(result.problem), same_command(run.request.fresh, false),
                       base::shell_words({"poslab", "status", base::operand(run.journal.string())}));
  if (result.ending != run::Ending::stopped_at_failure) return "";
  const auto left = std::ranges::count_if(result.outcomes, [](const auto& outcome) { return !outcome; });
  return fmt::format("poslab: stopped at the first failed cell, with {} of {} left; {} goes on from there\n", left,
                     result.outcomes.size(), same_command(run.request.fresh, true));
}

std::string narrowing_text(const run::PreparedRun& run, std::size_t before) {
  return fmt::format("poslab: {} has the results of {}, and this run leaves {} in it; -o FILE keeps both, {}\n",
                     base::printable(run.output), base::counted(before, "cell"), run.part.plan.cells.size(),
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
