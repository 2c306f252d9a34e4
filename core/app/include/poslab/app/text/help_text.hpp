// SPDX-License-Identifier: Apache-2.0
// The help of a command: what fits a screen of 80 columns and 40 lines.
#pragma once

#include <list>
#include <string>

#include "poslab/app/arguments/options.hpp"

namespace poslab::app {

/// "  -o, --output FILE   results file" under each heading; sentences go on below themselves.
std::string options_text(const std::list<OptionGroup>& groups);
/// What is said to a word that is no option: "there is no option --thread; did you mean --threads?"
std::string no_such_option(const std::string& word, const std::list<OptionGroup>& groups);

}  // namespace poslab::app
