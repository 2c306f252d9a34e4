// SPDX-License-Identifier: Apache-2.0
// Which names and files may stand where an option or a command wants them.
#pragma once

#include "options/options.hpp"

namespace poslab::app {

Completion scheme_names(const Typed& typed);
Completion names_of_all(const Typed& typed);  ///< of schemes and of experiments
Completion axis_names(const Typed& typed);    ///< with = behind them, as the next two
Completion data_names(const Typed& typed);    ///< of the files that experiments need
Completion parameter_names(const Typed& typed);
Completion check_names(const Typed& typed);
Completion study_files(const Typed& typed);
Completion results_files(const Typed& typed);
Completion folders(const Typed& typed);

}  // namespace poslab::app
