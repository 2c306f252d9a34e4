// SPDX-License-Identifier: Apache-2.0
// What a child does with an HDF5 file of weights, which may crash HDF5: it hands the arrays to its parent. Internal.
#include "poslab/app/arguments/options.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/process/child.hpp"
#include "poslab/results/trained_weights.hpp"
#include "poslab/run/weights_answer.hpp"

namespace poslab::app {

int weights_command(const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments.size() > 2) throw UsageError("this command is started by poslab alone");
  std::vector<results::TrainedCell> cells;
  if (arguments.size() == 1)
    cells = results::read_trained(arguments[0]);
  else
    cells.emplace_back().arrays.push_back(results::read_dataset(arguments[0], arguments[1]));
  return process::answer(run::weights_answer(cells)) ? all_well : wrong_input;
}

}  // namespace poslab::app
