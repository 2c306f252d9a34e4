// SPDX-License-Identifier: Apache-2.0
// The table `builds` of a journal: by which program its cells were performed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "poslab/journal/journal.hpp"
#include "sqlite.hpp"

namespace poslab::journal {

extern const char* const create_builds;

/// From here on, and until the next of them, the rows of cells are a build's.
struct BuildOfRows {
  std::int64_t first = 0;  ///< number of a row
  Build build;
};

/// Every row from `first` on is of this build, within the caller's transaction.
void write_build(const sqlite::Connection& connection, const Build& build, std::int64_t first);

/// By `first`.
std::vector<BuildOfRows> read_builds(const sqlite::Connection& connection);

/// That by which the row of this number was made; unknown for one that an earlier poslab wrote, which kept no builds.
Build build_of_row(const std::vector<BuildOfRows>& builds, std::int64_t number);

}  // namespace poslab::journal
