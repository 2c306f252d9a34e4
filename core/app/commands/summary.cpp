// SPDX-License-Identifier: Apache-2.0
// `poslab summary`: what the run that wrote a results file ended with.
#include "text/summary.hpp"

#include <cstdio>

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "options/completers.hpp"
#include "options/shared_options.hpp"
#include "poslab/results/stored_run.hpp"
#include "terminal/terminal.hpp"
#include "text/curves_text.hpp"

namespace poslab::app {
namespace {

struct SummaryOptions final : ContainedOptions {
  SummaryOptions() : ContainedOptions("the file") { words = {1, 1, results_files}; }
  Flag verbose{this, flag("verbose", "every measure, every expectation, and why there is no number")};
  Texts curve{this, option("curve", "MEASURE", "draw a measure over its dimension (may be repeated)")};
};

int summarise_file(const SummaryOptions& asked) {
  const std::string& file = asked.words.given.front();
  results::StoredRun run = results::read_run(file, *asked.curve);
  const std::string curves = curves_text(run, *asked.curve, summary_style(false).width);
  std::vector<data::Cell> cells;
  run::OutcomeSummaries outcomes;
  for (results::StoredCell& cell : run.cells) {
    cells.push_back(std::move(cell.cell));
    outcomes.emplace_back(run::OutcomeSummary{cell.status, cell.message, std::move(cell.last), std::move(cell.at),
                                              cell.weights, std::move(cell.first)});
  }
  const data::Catalogue catalogue{{}, run.experiments};
  const Conclusions conclusions{
      run.title, file, cells, catalogue, outcomes, run.expectations, run.answers, run.plugin_checks, run.weights_files};
  print(stdout, summary(conclusions, summary_style(*asked.verbose)));
  print(stdout, curves);
  print(stdout, count_line(outcomes, run.planned_cells));
  return all_well;
}

}  // namespace

Command summary_command() {
  return with_action(
      {.name = "summary",
       .sentence = "what a results file answers",
       .usage = "FILE.h5",
       .what = "Prints what the run that wrote it ended with: an answer for each scheme and question, what "
               "failed, what was expected.",
       .shown = {"poslab summary quickstart.h5 --verbose | less",
                 "poslab summary trained.h5 --curve held_out_loss --curve accuracy"},
       .exit_codes = "0 all well, 2 the file cannot be read."},
      summarise_file);
}

}  // namespace poslab::app
