// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/standing.hpp"

#include <map>

namespace poslab::run {

const char* to_text(Standing standing) {
  switch (standing) {
    case Standing::kept: return "kept";
    case Standing::fresh: return "new";
    case Standing::failed_before: return "failed before";
    case Standing::plugin_changed: return "plugin changed";
  }
  return "?";
}

std::vector<Standing> standings(const std::vector<base::Cell>& cells,
                                const std::unordered_map<std::string, Journal::Known>& known, const HashOf& hash_of) {
  std::map<std::string, std::string> hashes;
  const auto standing_of = [&](const base::Cell& cell) {
    const auto found = cell.skip.empty() ? known.find(cell.id) : known.end();
    if (found == known.end()) return Standing::fresh;
    if (found->second.status != base::Status::ok) return Standing::failed_before;
    const auto [hash, is_new] = hashes.try_emplace(cell.variant.scheme);
    if (is_new) hash->second = hash_of(cell.variant.scheme);
    return hash->second == found->second.plugin_hash ? Standing::kept : Standing::plugin_changed;
  };
  std::vector<Standing> all;
  all.reserve(cells.size());
  for (const base::Cell& cell : cells) all.push_back(standing_of(cell));
  return all;
}

}  // namespace poslab::run
