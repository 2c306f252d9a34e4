// SPDX-License-Identifier: Apache-2.0
// Where a plan stands: which cells are done, and why each of the others has to run.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "poslab/base/cell.hpp"
#include "poslab/run/journal.hpp"

namespace poslab::run {

enum class Standing {
  kept,           ///< done in an earlier run, by the same plugin file
  fresh,          ///< never run, or not under this identity: another seed, version, parameter
  failed_before,  ///< run without result
  plugin_changed  ///< done, but by another file of its plugin
};
/// "new", "failed before", ...
const char* to_text(Standing standing);

/// The hash of the library that a scheme comes from now.
using HashOf = std::function<std::string(const std::string& scheme)>;

/// One for each cell, in their order. Cells that the plan skips are never kept: they cost nothing.
std::vector<Standing> standings(const std::vector<base::Cell>& cells,
                                const std::unordered_map<std::string, Journal::Known>& known, const HashOf& hash_of);

}  // namespace poslab::run
