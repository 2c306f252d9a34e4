// SPDX-License-Identifier: Apache-2.0
// The plugins that a command works with, and the option that names their directories.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "poslab/app/arguments/options.hpp"
#include "poslab/base/error.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/host/library.hpp"
#include "poslab/workers/backend.hpp"

namespace poslab::app {

/// Not a single scheme was found.
struct NoSchemes : base::Error {
  NoSchemes(const std::vector<std::string>& searched, const std::vector<host::Refusal>& passed_over);
  std::vector<std::string> searched;       ///< directories
  std::vector<host::Refusal> passed_over;  ///< files in them
};

/// A name that is of no scheme and no experiment.
struct NoSuchName : base::Error {
  NoSuchName(const std::string& name, const data::Catalogue& catalogue);
  std::string name;
};

void add_plugin_option(Options& options);
std::vector<std::string> plugin_directories(const boost::program_options::variables_map& values);  ///< of --plugins
/// What the plugins of `directories`, POSLAB_PLUGIN_PATH and the usual place offer, each opened in `backend`, which
/// then knows them; says on stderr which of them others could exchange. Throws NoSchemes.
host::Library open_library(const std::vector<std::string>& directories, workers::Backend& backend);
/// The same, opened in a worker of its own.
host::Library open_library(const std::vector<std::string>& directories);
/// A line for each two directories, one of which stands before the other: "poslab: rope from /mine, in place of /lib".
std::string shadows_text(const std::vector<host::Shadowed>& all);
/// One line per file that was passed over.
std::string refusals_text(const std::vector<host::Refusal>& refusals);
data::Catalogue catalogue_of(const host::Library& library);

}  // namespace poslab::app
