// SPDX-License-Identifier: Apache-2.0
// Why cells of one file are not in the other.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "read/stored_index.hpp"

namespace poslab::results {

/// Cells of `a` and of `b`, none of which has a partner by its identity, that are the same in all that the files tell
/// but the version of their scheme or of their experiment.
std::vector<std::pair<std::size_t, std::size_t>> pairs_across_versions(const StoredIndex& a, const StoredIndex& b);

/// "seeds differ: 7, 8", "no experiment in common: ...": what the files themselves tell. `joined`: cells of both; with
/// none there is always a sentence.
std::vector<std::string> why_without_partner(const StoredIndex& a, const StoredIndex& b, std::size_t joined);

}  // namespace poslab::results
