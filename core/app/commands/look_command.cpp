// SPDX-License-Identifier: Apache-2.0
// What a child does with a file that may crash HDF5: it says what the file holds. Internal.
#include "poslab/app/arguments/options.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/process/child.hpp"
#include "poslab/results/output_content.hpp"
#include "poslab/run/look_answer.hpp"

namespace poslab::app {

int look_command(const std::vector<std::string>& arguments) {
  if (arguments.size() != 1) throw UsageError("this command is started by poslab alone");
  const std::string answer = run::look_answer(results::read_output_content(arguments.front()));
  return process::answer(answer) ? all_well : wrong_input;
}

}  // namespace poslab::app
