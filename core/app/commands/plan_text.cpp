// SPDX-License-Identifier: Apache-2.0
#include "commands/run.hpp"

#include <fmt/format.h>

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
    text += fmt::format("  {:>6} cells: {}\n", count, journal::to_text(state));
  if (overview.going_on > 0) text += fmt::format("  {:>6} cells of these go on from a checkpoint\n", overview.going_on);
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

}  // namespace

std::string shard_line(const run::PreparedRun& run) {
  if (!run.request.shard) return "";
  return fmt::format("shard {}: {} of {} cells\n", run.request.shard->text(), run.part.plan.cells.size(),
                     run.part.whole);
}

std::string plan_text(const run::PreparedRun& run, const run::PlanOverview& overview, bool verbose) {
  const data::Placement& placement = run.study.placement;
  return shard_line(run) + base::printable(run.study.title) + "\n" +
         (placement.is_plain() ? "" : fmt::format("positions = {}\n", placement.text())) + "\n" +
         shares_text(overview.shares, run.request.threads) +
         fmt::format("\n{} threads, memory for cells {}.\n", run.request.threads,
                     base::human_bytes(run.request.memory)) +
         reasons_text(overview) + (overview.unasked > 0 ? unasked_text(overview.unasked) + "\n" : "") +
         (verbose ? cells_text(run.part.plan, overview.reasons) : "");
}

}  // namespace poslab::app
