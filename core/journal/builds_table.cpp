// SPDX-License-Identifier: Apache-2.0
#include "builds_table.hpp"

#include <algorithm>

namespace poslab::journal {

// The text is compared with that of a journal, byte for byte.
const char* const create_builds = "CREATE TABLE builds(first INTEGER PRIMARY KEY, poslab TEXT, git_commit TEXT)";

void write_build(const sqlite::Connection& connection, const Build& build, std::int64_t first) {
  sqlite::Statement removed(connection, "DELETE FROM builds WHERE first >= :first");  // of rows that are gone
  removed.bind(":first", first).step();
  if (const auto known = read_builds(connection); !known.empty() && known.back().build == build) return;
  sqlite::Statement insert(connection,
                           "INSERT INTO builds(first, poslab, git_commit) VALUES(:first, :poslab, :commit)");
  insert.bind(":first", first).bind(":poslab", build.poslab).bind(":commit", build.git_commit).step();
}

std::vector<BuildOfRows> read_builds(const sqlite::Connection& connection) {
  std::vector<BuildOfRows> builds;
  sqlite::Statement rows(connection, "SELECT first, poslab, git_commit FROM builds ORDER BY first");
  while (rows.step()) builds.push_back({rows.integer(0), {rows.text(1), rows.text(2)}});
  return builds;
}

Build build_of_row(const std::vector<BuildOfRows>& builds, std::int64_t number) {
  const auto next = std::upper_bound(builds.begin(), builds.end(), number,
                                     [](std::int64_t row, const BuildOfRows& rows) { return row < rows.first; });
  return next == builds.begin() ? Build{} : std::prev(next)->build;
}

}  // namespace poslab::journal
