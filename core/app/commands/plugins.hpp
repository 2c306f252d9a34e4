// SPDX-License-Identifier: Apache-2.0
// The plugins of a command, what is said of those that were found, and what ships with the program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/host/library.hpp"
#include "poslab/workers/backend.hpp"

namespace poslab::app {

/// A name that is of no scheme and no experiment.
struct NoSuchName : base::Error {
  NoSuchName(const std::string& name, const data::Catalogue& catalogue);
  std::string name;
};

/// What run::open_library finds; printed is which plugins stand before others, and which others could exchange.
host::Library open_library(const std::vector<std::string>& directories);
/// And a line for each file that was passed over. The Python files of `studies`, and among `named` (of --only), are
/// opened, too.
host::Library open_library(const std::vector<std::string>& directories, workers::Backend& backend,
                           const std::vector<std::string>& studies, const std::vector<std::string>& named = {});

/// The scheme of this id. Throws base::Error, and then prints which files were refused, since one of them may be its
/// own.
const data::SchemeInfo& scheme_in(const host::Library& library, const std::string& id);

/// The plugin that a word of the command line means: a file, or the file of a scheme of the library. Throws UsageError,
/// base::Error.
std::string plugin_file(const std::string& word, const std::vector<std::string>& directories);
bool is_plugin_file(const std::string& word);

/// A line for each two directories, one of which stands before the other: "poslab: rope from /mine, in place of /lib".
std::string shadows_text(const std::vector<host::Shadowed>& all);

/// Studies, pages and the Python package: share/poslab beside the program's folder, in an installation as in the build
/// tree.
std::filesystem::path shared_folder();

}  // namespace poslab::app
