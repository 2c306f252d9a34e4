// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/plan_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "poslab/base/text.hpp"

namespace poslab::app {
namespace {

// Operations a second that one thread reached in the measures' inner loops on a 2023 server core; only for guesses.
constexpr double guessed_rate = 4e9;

struct Share {
  std::size_t to_run = 0, kept = 0, skipped = 0;
  double operations = 0, bytes = 0;
};

}  // namespace

std::string axes_text(const base::Cell& cell) {
  std::string text;
  for (const auto& [name, value] : cell.axes)
    if (!std::holds_alternative<std::vector<double>>(value))
      text += (text.empty() ? "" : " ") + name + "=" + base::to_text(value);
  return text;
}

std::string plan_text(const spec::Study& study, const spec::Plan& plan, const std::vector<run::Standing>& standings,
                      int threads, double memory) {
  std::vector<std::pair<std::string, Share>> shares;
  std::map<std::string, std::size_t> reasons;
  std::map<run::Standing, std::size_t> why;
  Share all;
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const base::Cell& cell = plan.cells[i];
    const bool kept = standings[i] == run::Standing::kept;
    if (cell.skip.empty()) ++why[standings[i]];
    auto share =
        std::find_if(shares.begin(), shares.end(), [&](const auto& entry) { return entry.first == cell.experiment; });
    if (share == shares.end()) share = shares.insert(shares.end(), {cell.experiment, {}});
    for (Share* sum : {&share->second, &all}) {
      ++(kept ? sum->kept : cell.skip.empty() ? sum->to_run : sum->skipped);
      if (kept) continue;
      sum->operations += plan.estimates[i].operations;
      sum->bytes = std::max(sum->bytes, plan.estimates[i].bytes);
    }
    if (!cell.skip.empty()) ++reasons[fmt::format("{} of {}: {}", cell.experiment, cell.variant.label, cell.skip)];
  }
  const std::string positions =
      study.placement.is_plain() ? "" : fmt::format("positions = {}\n", study.placement.text());
  std::string text = fmt::format("{}\n{}\n{:<24}{:>8}{:>8}{:>9}{:>16}{:>14}\n", study.title, positions, "experiment",
                                 "to run", "kept", "skipped", "largest cell", "time, guessed");
  shares.emplace_back("all", all);
  for (const auto& [name, share] : shares)
    text += fmt::format("{:<24}{:>8}{:>8}{:>9}{:>16}{:>14}\n", name, share.to_run, share.kept, share.skipped,
                        base::human_bytes(share.bytes), base::human_seconds(share.operations / guessed_rate / threads));
  text += fmt::format("\n{} threads, memory for cells {}.\n", threads, base::human_bytes(memory));
  for (const auto& [standing, count] : why) text += fmt::format("  {:>6} cells: {}\n", count, run::to_text(standing));
  if (!reasons.empty()) text += "\nSkipped:\n";
  for (const auto& [reason, count] : reasons) text += fmt::format("  {:>4} x {}\n", count, reason);
  return text;
}

std::string others_text(const spec::Plan& plan, const std::unordered_map<std::string, run::JournalKnown>& known) {
  std::size_t here = 0;
  for (const base::Cell& cell : plan.cells) here += known.count(cell.id);
  if (here == known.size()) return "";
  return fmt::format(
      "  {:>6} cells more are in the journal, of what was asked before; they stay there, and are not in the results\n",
      known.size() - here);
}

std::string cells_text(const spec::Plan& plan, const run::Standings& standings) {
  std::string text = "\nCells:\n";
  for (const base::Cell& cell : plan.cells)
    text += fmt::format("  {} of {} {} repeat={}: {}\n", cell.experiment, cell.variant.label, axes_text(cell),
                        cell.repeat, cell.skip.empty() ? standings.sentence(cell) : "skipped, " + cell.skip);
  return text;
}

}  // namespace poslab::app
