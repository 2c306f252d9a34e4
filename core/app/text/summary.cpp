// SPDX-License-Identifier: Apache-2.0
#include "text/summary.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>

#include "poslab/base/count.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/outcome.hpp"
#include "terminal/terminal.hpp"

namespace poslab::app {
namespace {

bool answers(const Conclusions& run, const std::string& experiment) {
  return std::ranges::any_of(run.answers.columns, [&](const auto& column) { return column.experiment == experiment; });
}

// In the study's order; those that answer are left out unless `verbose`.
std::vector<std::string> detailed_experiments(const Conclusions& run, bool verbose) {
  std::vector<std::string> experiments;
  for (const data::Cell& cell : run.cells) {
    const bool is_known = std::find(experiments.begin(), experiments.end(), cell.experiment) != experiments.end();
    if ((verbose || !answers(run, cell.experiment)) && !is_known) experiments.push_back(cell.experiment);
  }
  return experiments;
}

std::string counts_text(const run::OutcomeSummaries& outcomes, std::size_t planned) {
  std::size_t counts[5] = {}, performed = 0;
  for (const auto& outcome : outcomes)
    if (outcome) ++counts[static_cast<std::size_t>(outcome->status)], ++performed;
  std::string text = base::counted(counts[static_cast<std::size_t>(data::Status::ok)], "cell") + " ok";
  for (const data::Status status :
       {data::Status::skipped, data::Status::failed, data::Status::crashed, data::Status::timeout})
    if (const std::size_t count = counts[static_cast<std::size_t>(status)]; count > 0)
      text += fmt::format(", {} {}", count, data::to_text(status));
  if (performed < planned) text += fmt::format(", {} of {} not run", planned - performed, planned);
  return text;
}

TableNotes notes_of(const Conclusions& run) {
  TableNotes notes;
  for (const data::Cell& cell : run.cells)
    for (const std::string& scheme : data::schemes_of(cell.variant))
      if (const auto doubt = data::doubt_of(scheme, run.plugin_checks)) notes.doubts[cell.variant.label] = *doubt;
  for (const data::WeightsFile& file : run.weights_files) notes.weights_files.push_back(file.text());
  return notes;
}

bool measures(const Conclusions& run, const char* name) {
  for (std::size_t i = 0; i < run.cells.size(); ++i) {
    const data::ExperimentInfo* info = run.catalogue.experiment(run.cells[i].experiment);
    const bool is_done = run.outcomes[i] && run.outcomes[i]->status == data::Status::ok;
    if (is_done && info && info->measure(name)) return true;
  }
  return false;
}

StyledText next_text(const Conclusions& run, bool verbose) {
  const std::string file = base::shell_word(base::operand(run.file));
  const auto command = [&](const char* what, const std::string& words) {
    return StyledText(what) + StyledText(Style::command, words) + "\n";
  };
  StyledText text = "\n";
  for (const auto& [what, curve] : {std::pair{"how training went:         ", "held_out_loss"},
                                    std::pair{"loss by position:          ", "loss_by_position"}})
    if (measures(run, curve)) text += command(what, fmt::format("poslab summary {} --curve {}", file, curve));
  if (!verbose) text += command("in full, with reasons:     ", fmt::format("poslab summary {} --verbose", file));
  return text + command("a page with figures:       ", "poslab report " + file);
}

// Where nothing was measured: why, each reason once.
std::string skipped_text(const Conclusions& run) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> schemes;  // by experiment and reason
  for (std::size_t i = 0; i < run.cells.size(); ++i) {
    if (!run.outcomes[i]) continue;
    if (run.outcomes[i]->status == data::Status::ok) return "";
    if (run.outcomes[i]->status != data::Status::skipped) continue;
    std::vector<std::string>& labels = schemes[{run.cells[i].experiment, run.outcomes[i]->message}];
    const std::string& label = run.cells[i].variant.label;
    if (labels.empty() || labels.back() != label) labels.push_back(label);
  }
  constexpr std::size_t most = 5;  // names of a reason
  std::string text = schemes.empty() ? "" : "\nnothing was measured, all that came to an end was skipped\n";
  for (const auto& [key, labels] : schemes)
    text += "  " + base::printable(fmt::format("{} of {}: {}", key.first, base::enumerate(labels, most), key.second)) +
            "\n";
  return text;
}

}  // namespace

StyledText failures_text(const Conclusions& run) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> schemes;
  for (std::size_t i = 0; i < run.cells.size(); ++i) {
    if (!run.outcomes[i] || !data::is_failure(run.outcomes[i]->status)) continue;
    const std::string what = fmt::format("{}: {}", data::to_text(run.outcomes[i]->status), run.outcomes[i]->message);
    std::vector<std::string>& labels = schemes[{run.cells[i].experiment, what}];
    const std::string& label = run.cells[i].variant.label;
    if (labels.empty() || labels.back() != label) labels.push_back(label);
  }
  std::string text = schemes.empty() ? "" : "\nwithout numbers\n";
  for (const auto& [key, labels] : schemes)
    text += "  " + base::printable(fmt::format("{} of {} {}", key.first, base::enumerate(labels), key.second)) + "\n";
  return text;
}

StyledText summary(const Conclusions& run, const SummaryStyle& style) {
  StyledText text;
  if (!run.answers.answers.empty())
    text = "\n" + base::printable(run.title) + "\n" + answers_text(run.answers, style, notes_of(run));
  text += tasks_text(run, style.width);
  if (style.verbose) text += sentences_text(run.answers, style);
  text += details_text(run, detailed_experiments(run, style.verbose), style.width);
  text += skipped_text(run);
  text += failures_text(run) + expectations_text(run.expectations, style.verbose);
  if (run.answers.answers.empty()) return text;
  const std::string plain = text.plain();
  const auto lines = static_cast<std::size_t>(std::ranges::count(plain, '\n'));
  const StyledText next = next_text(run, style.verbose);
  constexpr std::size_t after = 7;  // what to do next, how many cells there were, a prompt
  if (style.height > 0 && lines + after > style.height) text += digest_text(run.answers, style.width);
  return text + next;
}

std::string closing_line(const run::OutcomeSummaries& outcomes, double seconds, const std::string& file) {
  return fmt::format("\n{} in {}: {}\n", counts_text(outcomes, outcomes.size()), base::human_seconds(seconds),
                     base::printable(file));
}

std::string count_line(const run::OutcomeSummaries& outcomes, std::size_t planned) {
  return fmt::format("\n{}\n", counts_text(outcomes, planned));
}

SummaryStyle summary_style(bool verbose) {
  return {terminal_width(STDOUT_FILENO), verbose, terminal_height(STDOUT_FILENO)};
}

}  // namespace poslab::app
