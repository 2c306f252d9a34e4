// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "commands/command.hpp"
#include "poslab/base/find_by.hpp"
#include "terminal/styled_text.hpp"

namespace poslab::app {

const std::vector<Command>& commands() {
  static const std::vector<Command> all{
      run_command(),     list_command(),  describe_command(), find_command(),   table_command(),   identify_command(),
      import_command(),  new_command(),   status_command(),   merge_command(),  summary_command(), report_command(),
      compare_command(), check_command(), submit_command(),   verify_command(), weights_command(), upgrade_command()};
  return all;
}

const Command* command_of(const std::string& name) { return base::find_by(commands(), &Command::name, name); }

std::string usage_of(const Command& command) { return fmt::format("poslab {} {}", command.name, command.usage); }

std::string help_of(const Command& command) {
  std::string text = fmt::format("usage: {} [options]{}\n\n", usage_of(command), command.after_options) +
                     wrapped(command.what, page_columns, 0) + "\n";
  for (const char* line : command.shown) text += fmt::format("  {}\n", line);
  if (*command.exit_codes)
    text += fmt::format("\n{}", wrapped("Exit code: " + std::string(command.exit_codes), page_columns, 0));
  return text + "\n" + options_text(*command.options());
}

}  // namespace poslab::app
