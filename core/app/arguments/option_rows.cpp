// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/arguments/options.hpp"
#include "poslab/app/commands.hpp"

namespace po = boost::program_options;

namespace poslab::app {

std::vector<OptionRow> option_rows(const OptionGroup& group) {
  std::vector<OptionRow> rows;
  if (group.heading.empty()) return rows;
  for (const auto& option : group.options.options()) {
    const std::string letter = option->canonical_display_name(po::command_line_style::allow_dash_for_short);
    const bool takes_value = option->semantic()->max_tokens() > 0;
    rows.push_back({option->long_name(), letter.size() == 2 ? letter.substr(1) : "",
                    takes_value ? option->format_parameter() : "", option->description()});
  }
  return rows;
}

std::vector<OptionRow> option_rows(const std::list<OptionGroup>& groups) {
  std::vector<OptionRow> all;
  for (const OptionGroup& group : groups)
    for (OptionRow& row : option_rows(group)) all.push_back(std::move(row));
  return all;
}

std::vector<OptionRow> options_of(const Command& command) try {
  command.run({"--help"});
  return {};
} catch (const HelpWanted& help) {
  return help.options;
}

}  // namespace poslab::app
