// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/text/plan_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "poslab/journal/resume_check.hpp"
#include "poslab/journal/resume_plan.hpp"

namespace poslab::app {
namespace {

// Operations a second that one thread reached in the measures' inner loops on a 2023 server core; only for guesses.
constexpr double guessed_rate = 4e9;

struct Share {
  std::size_t to_run = 0, kept = 0, skipped = 0;
  double operations = 0, bytes = 0;
};

std::string table_text(const study::Study& study, const study::Plan& plan,
                       const std::vector<journal::CellState>& states, int threads, double memory) {
  std::vector<std::pair<std::string, Share>> shares;
  std::map<std::string, std::size_t> reasons;
  std::map<journal::CellState, std::size_t> why;
  Share all;
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const data::Cell& cell = plan.cells[i];
    const bool kept = states[i] == journal::CellState::kept;
    if (cell.skip.empty()) ++why[states[i]];
    auto share =
        std::find_if(shares.begin(), shares.end(), [&](const auto& entry) { return entry.first == cell.experiment; });
    if (share == shares.end()) share = shares.insert(shares.end(), {cell.experiment, {}});
    for (Share* sum : {&share->second, &all}) {
      ++(kept ? sum->kept : cell.skip.empty() ? sum->to_run : sum->skipped);
      if (kept) continue;
      sum->operations += plan.estimates[i].operations;
      sum->bytes = std::max(sum->bytes, plan.estimates[i].bytes);
    }
    if (!cell.skip.empty())
      ++reasons[base::printable(fmt::format("{} of {}: {}", cell.experiment, cell.variant.label, cell.skip))];
  }
  const std::string positions =
      study.placement.is_plain() ? "" : fmt::format("positions = {}\n", study.placement.text());
  std::string text = fmt::format("{}\n{}\n{:<24}{:>8}{:>8}{:>9}{:>16}{:>14}\n", base::printable(study.title), positions,
                                 "experiment", "to run", "kept", "skipped", "largest cell", "time, guessed");
  shares.emplace_back("all", all);
  for (const auto& [name, share] : shares)
    text += fmt::format("{:<24}{:>8}{:>8}{:>9}{:>16}{:>14}\n", name, share.to_run, share.kept, share.skipped,
                        base::human_bytes(share.bytes), base::human_seconds(share.operations / guessed_rate / threads));
  text += fmt::format("\n{} threads, memory for cells {}.\n", threads, base::human_bytes(memory));
  for (const auto& [state, count] : why) text += fmt::format("  {:>6} cells: {}\n", count, journal::to_text(state));
  if (!reasons.empty()) text += "\nSkipped:\n";
  for (const auto& [reason, count] : reasons) text += fmt::format("  {:>4} x {}\n", count, reason);
  return text;
}

std::string cells_text(const study::Plan& plan, const journal::ResumePlan& resume) {
  std::string text = "\nCells:\n";
  for (const data::Cell& cell : plan.cells)
    text += base::printable(fmt::format("  {} of {} {} repeat={}: {}", cell.experiment, cell.variant.label,
                                        outer_axes_text(cell), cell.repeat,
                                        cell.skip.empty() ? resume.sentence(cell) : "skipped, " + cell.skip)) +
            "\n";
  return text;
}

}  // namespace

std::string shard_line(const run::PreparedRun& run) {
  if (!run.request.shard) return "";
  return fmt::format("shard {}: {} of {} cells\n", run.request.shard->text(), run.part.plan.cells.size(),
                     run.part.whole);
}

std::string plan_text(const run::PreparedRun& run, const journal::JournalContent& content, bool verbose) {
  const study::Plan& plan = run.part.plan;
  const journal::ResumePlan resume(content.known, run.catalogue);
  const std::size_t unasked = journal::count_unasked(content.known, plan.cells);
  return shard_line(run) + table_text(run.study, plan, resume.of(plan.cells), run.request.threads, run.request.memory) +
         (unasked > 0 ? unasked_text(unasked) + "\n" : "") + (verbose ? cells_text(plan, resume) : "");
}

std::string unasked_text(std::size_t cells) {
  return fmt::format(
      "  {:>6} cells more are in the journal, of what was asked before; they stay there, and are not in the results",
      cells);
}

}  // namespace poslab::app
