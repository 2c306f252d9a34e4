// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/arguments/options.hpp"
#include "poslab/app/commands.hpp"

namespace po = boost::program_options;

namespace poslab::app {

std::vector<OptionRow> option_rows(const po::options_description& options) {
  std::vector<OptionRow> rows;
  for (const auto& option : options.options()) {
    const std::string& sentence = option->description();
    if (option->long_name() == "help" || sentence.starts_with("used by poslab itself")) continue;
    const std::string letter = option->canonical_display_name(po::command_line_style::allow_dash_for_short);
    const bool takes_value = option->semantic()->max_tokens() > 0;
    rows.push_back({option->long_name(), letter.size() == 2 ? letter.substr(1) : "",
                    takes_value ? option->format_parameter() : "", sentence});
  }
  return rows;
}

std::vector<OptionRow> options_of(const Command& command) try {
  command.run({"--help"});
  return {};
} catch (const HelpWanted& help) {
  return help.options;
}

}  // namespace poslab::app
