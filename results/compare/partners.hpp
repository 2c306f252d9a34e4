// SPDX-License-Identifier: Apache-2.0
// Why cells of one file are not in the other.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "read/stored_index.hpp"

namespace poslab::results {

/// "seeds differ: 7, 8", "no experiment in common: ...": what the files themselves tell. `joined`: cells of both; with
/// none there is always a sentence.
std::vector<std::string> why_without_partner(const StoredIndex& a, const StoredIndex& b, std::size_t joined);

}  // namespace poslab::results
