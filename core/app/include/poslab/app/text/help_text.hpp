// SPDX-License-Identifier: Apache-2.0
// The help of a command: what fits a screen of 80 columns and 40 lines.
#pragma once

#include <boost/program_options.hpp>
#include <list>
#include <string>
#include <vector>

namespace poslab::app {

struct OptionGroup {
  std::string heading;  ///< empty: for poslab itself, and not shown
  boost::program_options::options_description options;
};

/// "  -o, --output FILE   results file" under each heading; sentences go on below themselves.
std::string options_text(const std::list<OptionGroup>& groups);
/// Of a word that is no option: "there is no option --thread; did you mean --threads?"
std::string no_such_option(const std::string& word, const std::list<OptionGroup>& groups);

}  // namespace poslab::app
