// SPDX-License-Identifier: Apache-2.0
// The plugins that a command works with, and the option that names their directories.
#pragma once

#include "poslab/app/options.hpp"
#include "poslab/base/catalogue.hpp"
#include "poslab/host/library.hpp"

namespace poslab::app {

void add_plugin_option(Options& options);
/// Opens what --plugins, POSLAB_PLUGIN_PATH or the usual place offer. Throws base::Error if no plugin is found at all,
/// saying where it looked and what it passed over.
host::Library open_library(const boost::program_options::variables_map& values);
/// One line per file that was passed over.
std::string refusals_text(const host::Library& library);
base::Catalogue catalogue_of(const host::Library& library);

}  // namespace poslab::app
