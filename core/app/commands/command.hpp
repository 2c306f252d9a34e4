// SPDX-License-Identifier: Apache-2.0
// The sub-commands of `poslab`: a table with a row for each, which stands in the file that has its options and its
// code.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "options/options.hpp"

namespace poslab::app {

struct Command {
  const char* name;
  const char* sentence;
  const char* usage;               ///< the words after its name
  const char* what;                ///< a paragraph
  std::vector<const char*> shown;  ///< how it is used: commands
  const char* exit_codes = "";
  const char* json = "";           ///< the keys of --json; core/app/json.md has all
  const char* after_options = "";  ///< words that its options may be followed by
  std::function<std::unique_ptr<Options>()> options = nullptr;
  std::function<int(const Options&)> run = nullptr;  ///< returns the exit code
};

/// A row of a command whose options are an `Asked`.
template <class Asked>
Command with_action(Command row, int (*run)(const Asked&)) {
  row.options = [] { return std::make_unique<Asked>(); };
  row.run = [run](const Options& options) { return run(static_cast<const Asked&>(options)); };
  return row;
}

const std::vector<Command>& commands();
const Command* command_of(const std::string& name);  ///< null if there is none

/// "poslab new scheme NAME"
std::string usage_of(const Command& command);
/// What fits a screen of 80 columns and 40 lines.
std::string help_of(const Command& command);

Command run_command();
Command list_command();
Command describe_command();
Command find_command();
Command table_command();
Command identify_command();
Command import_command();
Command new_command();
Command status_command();
Command merge_command();
Command summary_command();
Command report_command();
Command compare_command();
Command check_command();
Command submit_command();
Command verify_command();
Command weights_command();
Command upgrade_command();

}  // namespace poslab::app
