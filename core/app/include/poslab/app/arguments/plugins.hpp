// SPDX-License-Identifier: Apache-2.0
// The option that names directories of plugins, and what is said of the plugins that were found.
#pragma once

#include <string>
#include <vector>

#include "poslab/app/arguments/options.hpp"
#include "poslab/base/error.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/host/library.hpp"

namespace poslab::app {

/// A name that is of no scheme and no experiment.
struct NoSuchName : base::Error {
  NoSuchName(const std::string& name, const data::Catalogue& catalogue);
  std::string name;
};

void add_plugin_option(Options& options);
std::vector<std::string> plugin_directories(const boost::program_options::variables_map& values);  ///< of --plugins
/// A line for each two directories, one of which stands before the other: "poslab: rope from /mine, in place of /lib".
std::string shadows_text(const std::vector<host::Shadowed>& all);
/// That, and which plugins others could exchange.
std::string notices_text(const host::Library& library);
/// And a line per file that was passed over.
std::string notices_and_refusals_text(const host::Library& library);

}  // namespace poslab::app
