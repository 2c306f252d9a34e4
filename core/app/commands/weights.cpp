// SPDX-License-Identifier: Apache-2.0
// `poslab weights`: the networks that a results file keeps, and one of them for other programs.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "options/completers.hpp"
#include "options/shared_options.hpp"
#include "poslab/base/count.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/experiment/given_network.hpp"
#include "poslab/results/table.hpp"
#include "poslab/results/trained_weights.hpp"
#include "poslab/run/exported_network.hpp"
#include "terminal/terminal.hpp"
#include "terminal/text_table.hpp"

namespace poslab::app {
namespace {

struct WeightsOptions final : ContainedOptions {
  WeightsOptions() : ContainedOptions("the file") { words = {1, 1, results_files}; }
  Text to{this, option("to", "FILE.safetensors", "write a network there, where no file is yet"),
          accepted(a_name_of("a file"))};
  Option<std::int64_t> cell{this, option("cell", "N", "the network of this cell, where several are kept")};
};

std::size_t numbers_of(const results::TrainedCell& cell) {
  std::size_t numbers = 0;
  for (const data::KeptArray& array : cell.arrays)
    if (!array.name.starts_with("example/") && !experiments::is_of_optimiser(array)) numbers += array.size();
  return numbers;
}

std::string list_text(const std::vector<results::TrainedCell>& cells) {
  std::vector<std::vector<std::string>> rows{
      {"cell", "experiment", "variant", "repeat", "d_model", "heads", "numbers", "trained on"}};
  for (const results::TrainedCell& cell : cells)
    rows.push_back(
        {std::to_string(cell.cell), base::printable(cell.experiment), base::printable(cell.variant),
         std::to_string(cell.repeat), std::to_string(cell.d_model), std::to_string(cell.heads),
         std::to_string(numbers_of(cell)),
         fmt::format("{}, {}", base::printable(cell.training.title), base::counted(cell.training.steps, "step"))});
  return text_table(rows, 1, terminal_width(STDOUT_FILENO));
}

const results::TrainedCell& chosen(const std::vector<results::TrainedCell>& cells, const WeightsOptions& asked) {
  const std::string& file = asked.words.given.front();
  if (asked.cell.is_given()) {
    for (const results::TrainedCell& cell : cells)
      if (cell.cell == *asked.cell) return cell;
    throw base::FileError(file, fmt::format("keeps no network of cell {}", *asked.cell),
                          "poslab weights FILE.h5 lists those that it keeps");
  }
  if (cells.size() > 1)
    throw base::FileError(file, fmt::format("keeps {} networks", cells.size()),
                          "choose one with --cell N; poslab weights FILE.h5 lists them");
  return cells.front();
}

int look_at_weights(const WeightsOptions& asked) {
  const std::string& file = asked.words.given.front();
  std::vector<results::TrainedCell> cells;
  for (results::TrainedCell& cell : results::read_trained(file, results::Kept::all))
    if (cell.has_network) cells.push_back(std::move(cell));
  if (cells.empty())
    throw base::FileError(file, "keeps no network", "train with keep_weights = true in [experiment.axes]");
  if (!asked.to.is_given()) {
    print(stdout, list_text(cells));
    return all_well;
  }
  if (std::error_code none; std::filesystem::exists(std::filesystem::symlink_status(*asked.to, none)))
    throw base::FileError(*asked.to, "is there already", "remove it, or choose another file with --to");
  results::write_bytes(*asked.to, run::exported(chosen(cells, asked)));
  return all_well;
}

}  // namespace

Command weights_command() {
  return with_action(
      {.name = "weights",
       .sentence = "the networks that a results file keeps",
       .usage = "FILE.h5",
       .what = "Lists the trained networks that a run kept (keep_weights = true), or writes one with the names that a "
               "PyTorch module gives its arrays; run --network reads both.",
       .shown = {"poslab weights trained.h5", "poslab weights trained.h5 --cell 3 --to net.safetensors"},
       .exit_codes = "0 all well, 2 the file cannot be read, keeps none, or several and none was chosen."},
      look_at_weights);
}

}  // namespace poslab::app
