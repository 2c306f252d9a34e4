// SPDX-License-Identifier: Apache-2.0
// The index of all cells at the root of a results file.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "poslab/data/outcome.hpp"
#include "read/results_file.hpp"

namespace poslab::results {

struct StoredIndex {
  /// Throws base::FileError, also where columns contradict each other.
  explicit StoredIndex(const std::string& path_);
  std::string path;
  h5::Handle file;
  std::vector<std::string> ids, experiments;
  std::vector<double> status, row;  ///< `row` within the experiment's group
  std::vector<data::WeightsState> weights;
  std::map<std::string, std::size_t> cell_of;  ///< by id
};

}  // namespace poslab::results
