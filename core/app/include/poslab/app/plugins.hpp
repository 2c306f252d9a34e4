// SPDX-License-Identifier: Apache-2.0
// The plugins that a command works with, and the option that names their directories.
#pragma once

#include "poslab/app/options.hpp"
#include "poslab/base/catalogue.hpp"
#include "poslab/host/library.hpp"
#include "poslab/run/workshop.hpp"

namespace poslab::app {

void add_plugin_option(Options& options);
/// What the plugins of --plugins, POSLAB_PLUGIN_PATH and the usual place offer, each opened in `workshop`, which then knows
/// them. Throws base::Error if no plugin is found at all, saying where it looked and what it passed over.
host::Library open_library(const boost::program_options::variables_map& values, run::Workshop& workshop);
/// The same, opened in a worker of its own.
host::Library open_library(const boost::program_options::variables_map& values);
/// One line per file that was passed over.
std::string refusals_text(const host::Library& library);
base::Catalogue catalogue_of(const host::Library& library);

}  // namespace poslab::app
