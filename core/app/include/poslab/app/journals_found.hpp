// SPDX-License-Identifier: Apache-2.0
// Which journals the words after `poslab status` stand for. One results file may have been begun in several ways: in
// one piece, in 3 shards, later in 40. Each way has all cells of the study, so each is found and counted for itself.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace poslab::app {

/// One way in which a results file was begun, or the parts of it that were named.
struct Way {
  std::filesystem::path output;
  int shards = 0;  ///< 0: in one piece
  std::vector<std::filesystem::path> journals;
  std::vector<int> missing;  ///< shards that have not begun; none where journals were named one by one
  std::string text() const;  ///< "in 40 shards"
};

/// A study stands for its results file, that for its own journal and for those of all its shards, a journal for itself.
/// What stands for nothing is given as a journal that does not exist.
std::vector<Way> ways_of(const std::vector<std::string>& files);

}  // namespace poslab::app
