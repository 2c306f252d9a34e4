// SPDX-License-Identifier: Apache-2.0
#include "journal_format.hpp"

#include <fmt/format.h>

#include <string_view>

#include "builds_table.hpp"
#include "cells_table.hpp"
#include "poslab/journal/journal.hpp"
#include "run_table.hpp"

namespace poslab::journal {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t application = 0x50534C4A;  // "PSLJ"
constexpr std::int64_t format = 4;                // raised when rows or packed records change
constexpr std::int64_t without_builds = 3;        // and is like ours otherwise

}  // namespace

base::Error foreign_journal(const fs::path& journal, const std::string& problem, const std::string& hint) {
  return {base::Error::Kind::file, fmt::format("{} {}", journal.string(), problem), hint};
}

std::int64_t pragma(const sqlite::Connection& connection, const char* text) {
  sqlite::Statement statement(connection, text);
  return statement.step() ? statement.integer(0) : 0;
}

bool is_empty(const sqlite::Connection& connection) {
  return pragma(connection, "SELECT count(*) FROM sqlite_master") == 0;
}

void require_ours_or_empty(const sqlite::Connection& connection, const fs::path& path) {
  if (is_empty(connection) || pragma(connection, "PRAGMA application_id") == application) return;
  throw foreign_journal(path, "is a database, but no journal of poslab", "move it away or choose another output");
}

void require_our_format(const sqlite::Connection& connection, const fs::path& path) {
  const std::int64_t version = pragma(connection, "PRAGMA user_version");
  if (version != format && version != without_builds)
    throw foreign_journal(path, fmt::format("has journal format {}, this program reads {}", version, format),
                          "finish that run with the poslab that began it, or start over with --fresh");
}

// A flipped bit in a column's name or type would be believed, and so would what a trigger or a view makes of our rows.
void require_our_tables(const sqlite::Connection& connection, const fs::path& path) {
  const bool has_builds = pragma(connection, "PRAGMA user_version") == format;
  const auto look_for = [&](const char* text) {
    sqlite::Statement found(connection, text);
    found.bind(":run", std::string_view(create_run)).bind(":cells", std::string_view(create_cells));
    found.bind(":builds", std::string_view(has_builds ? create_builds : ""));
    return found;
  };
  sqlite::Statement ours = look_for("SELECT count(*) FROM sqlite_master WHERE sql IN (:run, :cells, :builds)");
  ours.step();
  if (ours.integer(0) != (has_builds ? 3 : 2))
    throw sqlite::Problem(path.string(), SQLITE_CORRUPT, "its tables are not as they were created");
  sqlite::Statement others =
      look_for("SELECT type, name FROM sqlite_master WHERE sql NOT IN (:run, :cells, :builds) OR sql IS NULL");
  if (others.step())
    throw foreign_journal(path, fmt::format("has a {} \"{}\" that poslab did not make", others.text(0), others.text(1)),
                          "drop it with sqlite3, or move the journal away");
}

void create_tables(const sqlite::Connection& connection) {
  connection.execute(
      fmt::format("BEGIN IMMEDIATE; PRAGMA application_id = {}; PRAGMA user_version = {}; {}; {}; {}; COMMIT;",
                  application, format, create_run, create_cells, create_builds)
          .c_str());
}

void upgrade(const sqlite::Connection& connection) {
  if (pragma(connection, "PRAGMA user_version") == format) return;
  connection.execute(
      fmt::format("BEGIN IMMEDIATE; PRAGMA user_version = {}; {}; COMMIT;", format, create_builds).c_str());
}

}  // namespace poslab::journal
