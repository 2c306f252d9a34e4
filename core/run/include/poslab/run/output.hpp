// SPDX-License-Identifier: Apache-2.0
// Where results go: refused before the work if they cannot go there. If they no longer can afterwards, the journal has
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "poslab/base/error.hpp"

namespace poslab::run {

/// What is there is worth keeping, or would be lost by mistake.
struct OutputTaken : base::FileError {
  enum class By {
    table,
    another_study,  ///< and no journal says that this one was being written there
    unknown_cells,  ///< results that the journal of this study does not have
    changed_study,  ///< another one, or this one before it was changed
    whole_study,    ///< all cells, where only some would take their place
    the_study,      ///< the file that the study is read from
    an_input,       ///< another file that the run reads
    a_shard         ///< of those that are merged into it
  };
  OutputTaken(const std::string& path, By by, std::size_t given = 0, std::size_t planned = 0);
  By by;
  std::size_t given, planned;  ///< cells, of `whole_study`: those that would take their place, and all
};

/// By what a file is known again: one that was written since, or that took its place, has another mark.
struct FileMark {
  std::uint64_t device = 0, inode = 0, size = 0;
  std::int64_t seconds = 0, nanoseconds = 0;  ///< when it was written, since 1970
  bool operator==(const FileMark&) const = default;
};
/// Nothing: there is no file.
std::optional<FileMark> mark_of(const std::string& path);

/// Throws base::Error, `busy`, if a file lies there that is not the one that had this mark.
void require_unchanged(const std::string& path, const std::optional<FileMark>& mark);

/// Throws base::FileError if `path` is a directory, or lies in a directory that is missing or not writable;
/// of the kind `disk` if that is full.
void require_room(const std::string& path);

/// Identities of cells that this study has, or had before it was changed; nothing: no journal says that it was being
/// written there.
using OwnCells = std::optional<std::set<std::string>>;

/// `require_room`, and throws OutputTaken or OutputUnreadable if `path` holds something that is not this study's
/// results, and not `fresh`. With a journal these are, too: results all of whose cells are the study's own, and a
/// damaged or empty file. `own_cells` is called only where something is there.
void require_writable(const std::string& path, const std::string& study_hash, bool fresh,
                      const std::function<OwnCells()>& own_cells);

}  // namespace poslab::run
