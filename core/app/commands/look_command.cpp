// SPDX-License-Identifier: Apache-2.0
// What a child does with a file that may crash HDF5: it says what the file holds. Internal.
#include "poslab/app/answer.hpp"
#include "poslab/app/arguments/options.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/results/output_content.hpp"

namespace poslab::app {

int look_command(const std::vector<std::string>& arguments) {
  if (arguments.size() != 1) throw UsageError("this command is started by poslab alone");
  const results::OutputContent found = results::read_output_content(arguments.front());
  std::string text = found.kind == results::OutputContent::Kind::nothing ? "nothing" : "table";
  if (found.kind == results::OutputContent::Kind::run) text = (found.complete ? "+" : "-") + found.study_hash;
  return answer(text) ? all_well : wrong_input;
}

}  // namespace poslab::app
