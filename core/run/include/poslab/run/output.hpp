// SPDX-License-Identifier: Apache-2.0
// Where results go: refused before the work if they cannot go there. If they no longer can afterwards, the journal has
// them.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "poslab/results/output_content.hpp"

namespace poslab::run {

/// Throws base::FileError if `path` is a directory, or lies in a directory that is missing or not writable;
/// base::DiskError if that is full.
void require_room(const std::string& path);

/// What `path` holds, asked in a process of its own, since HDF5 crashes on some damaged files. Throws
/// OutputUnreadable; `what_to_do` says then how to go on.
results::OutputContent look_at(const std::string& path, const std::string& what_to_do);

/// Identities of cells that this study has, or had before it was changed; nothing: no journal says that it was being
/// written there.
using OwnCells = std::optional<std::set<std::string>>;

/// `require_room`, and throws OutputTaken or OutputUnreadable if `path` holds something that is not this study's
/// results, and not `fresh`. With a journal these are, too: results all of whose cells are the study's own, and a
/// damaged or empty file. `own_cells` is called only where something is there.
void require_writable(const std::string& path, const std::string& study_hash, bool fresh,
                      const std::function<OwnCells()>& own_cells);

}  // namespace poslab::run
