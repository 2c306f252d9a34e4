// SPDX-License-Identifier: Apache-2.0
// The command line of `poslab check`, and of the children that it starts, each of which performs one check.
#pragma once

#include <string>
#include <vector>

#include "poslab/app/arguments/options.hpp"
#include "poslab/check/check.hpp"

namespace poslab::app {

void add_check_options(Options& options);

/// What --only and --time-limit ask for. Throws UsageError.
check::Selection selection_of(const boost::program_options::variables_map& values);
struct PluginFiles {
  std::vector<std::string> files;
  std::string notices;  ///< of the plugins among which a scheme was looked for
};
/// The plugins to check: a word with a slash or the ending of a library is a file, any other the id of a scheme.
/// Throws UsageError, base::Error.
PluginFiles plugin_files_of(const boost::program_options::variables_map& values);

/// The words that start a child, but for the name of the check, which comes last. Throws UsageError if --heads do not
/// divide --d-model.
std::vector<std::string> child_arguments(const boost::program_options::variables_map& values, const std::string& file);
/// In the child: what `child_arguments` passed on.
check::Request request_of(const boost::program_options::variables_map& values, const std::string& file);

}  // namespace poslab::app
