// SPDX-License-Identifier: Apache-2.0
// Why shards cannot be merged, as facts and as a sentence.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "merge/checks.hpp"

namespace poslab::results {

/// `cells`: labels, here and below.
MergeProblem contradiction(const ShardFile& first, const ShardFile& second, std::vector<std::string> cells);
MergeProblem unfinished(const ShardFile& file, std::vector<std::string> cells);
MergeProblem damaged_records(const ShardFile& file, std::vector<std::string> cells);
MergeProblem missing_shards(const ShardFile& any, std::vector<int> shards);
/// Files of missing shards that exist and were not given.
MergeProblem files_not_given(const std::vector<std::string>& files);
MergeProblem missing_cells(std::size_t count, std::size_t whole);

}  // namespace poslab::results
