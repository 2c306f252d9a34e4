// SPDX-License-Identifier: Apache-2.0
// Why results cannot go to a file that is there.
#pragma once

#include <cstddef>
#include <string>

#include "poslab/base/error.hpp"
#include "poslab/process/child.hpp"

namespace poslab::run {

/// What is there cannot be read: the process that tried says so, hung or crashed.
struct OutputUnreadable : base::Error {
  OutputUnreadable(const std::string& path, const process::Ended& reader, const std::string& what_to_do);
  std::string path;
  process::Ended reader;
};

/// What is there is worth keeping, or would be lost by mistake.
struct OutputTaken : base::FileError {
  enum class By {
    table,
    another_study,  ///< and no journal says that this one was being written there
    unknown_cells,  ///< results that the journal of this study does not have
    changed_study,  ///< another one, or this one before it was changed
    whole_study,    ///< all cells, where only some would take their place
    the_study,      ///< the file that the study is read from
    a_shard         ///< of those that are merged into it
  };
  OutputTaken(const std::string& path, By by, std::size_t given = 0, std::size_t planned = 0);
  By by;
  std::size_t given, planned;  ///< cells, of `whole_study`: those that would take their place, and all
};

}  // namespace poslab::run
