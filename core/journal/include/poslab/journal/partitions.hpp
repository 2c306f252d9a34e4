// SPDX-License-Identifier: Apache-2.0
// Finds the journals for the arguments of `poslab status`. The run of a study may have been partitioned in several
// ways: in one piece, in 3 shards, later in 40. Each partition has all cells of the study, so each is counted
// separately.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace poslab::journal {

/// One partition of a results file, or those of its journals that were named.
struct Partition {
  std::filesystem::path output;
  int shards = 0;  ///< 0: in one piece
  std::vector<std::filesystem::path> journals;
  std::vector<int> missing;  ///< shards that have not begun; empty if journals were named one by one
  std::string text() const;  ///< "in 40 shards"
};

/// For a study: the journals of its results file. For a results file: its own journal and those of all its shards. A
/// journal is taken as it is. For a file without any, the result has a journal that does not exist.
std::vector<Partition> partitions_of(const std::vector<std::string>& files);

}  // namespace poslab::journal
