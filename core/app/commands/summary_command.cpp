// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "poslab/app/arguments/options.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/app/text/print.hpp"
#include "poslab/app/text/summary.hpp"
#include "poslab/results/stored_run.hpp"

namespace poslab::app {

int summary_command(const std::vector<std::string>& arguments) {
  Options options("summary");
  options.add()("verbose", "the legend in full, every measure, every expectation, and why there is no number");
  add_file_time_limit_option(options);
  options.positional("FILE", 1, 1);
  const auto values = options.parse(arguments);
  const std::string file = values["FILE"].as<std::vector<std::string>>().front();
  results::StoredRun run = results::read_run(file);
  std::vector<data::Cell> cells;
  run::OutcomeSummaries outcomes;
  for (results::StoredCell& cell : run.cells) {
    cells.push_back(std::move(cell.cell));
    outcomes.emplace_back(
        run::OutcomeSummary{cell.status, cell.message, std::move(cell.last), std::move(cell.at), cell.weights});
  }
  const data::Catalogue catalogue{{}, run.experiments};
  const Conclusions conclusions{
      run.title, file, cells, catalogue, outcomes, run.expectations, run.answers, run.plugin_checks, run.weights_files};
  print(stdout, summary(conclusions, summary_style(values.count("verbose") > 0)));
  print(stdout, count_line(outcomes, run.planned_cells));
  return all_well;
}

}  // namespace poslab::app
