// SPDX-License-Identifier: Apache-2.0
#include "journal_format.hpp"

#include <fmt/format.h>

#include <array>
#include <set>
#include <string>

#include "builds_table.hpp"
#include "cells_table.hpp"
#include "poslab/journal/journal.hpp"
#include "run_table.hpp"

namespace poslab::journal {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t application = 0x50534C4A;  // "PSLJ"
constexpr std::int64_t format = 5;                // raised when rows or packed records change
constexpr std::int64_t oldest_format = 3;         // whose journals go on

// What tables there are, and from which format on.
struct Table {
  std::int64_t since;
  const char* created;
};
std::array<Table, 4> tables() {
  return {{{oldest_format, create_run}, {oldest_format, create_cells}, {4, create_builds}, {5, create_shard}}};
}

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
  if (version < oldest_format || version > format)
    throw foreign_journal(path, fmt::format("has journal format {}, this program reads {}", version, format),
                          "finish that run with the poslab that began it, or start over with --fresh");
}

// A flipped bit in a column's name or type would be believed, and so would what a trigger or a view makes of our rows.
void require_our_tables(const sqlite::Connection& connection, const fs::path& path) {
  const std::int64_t version = pragma(connection, "PRAGMA user_version");
  std::set<std::string> missing;
  for (const Table& table : tables())
    if (table.since <= version) missing.insert(table.created);
  sqlite::Statement found(connection, "SELECT type, name, sql FROM sqlite_master");
  std::string other;
  while (found.step())
    if (missing.erase(found.text(2)) == 0) other = fmt::format("has a {} \"{}\"", found.text(0), found.text(1));
  if (!missing.empty()) throw sqlite::Problem(path.string(), SQLITE_CORRUPT, "its tables are not as they were created");
  if (!other.empty())
    throw foreign_journal(path, other + " that poslab did not make", "drop it with sqlite3, or move the journal away");
}

namespace {

// Those that no format up to `version` has.
std::string create_later_than(std::int64_t version) {
  std::string text = fmt::format("PRAGMA user_version = {}; ", format);
  for (const Table& table : tables())
    if (table.since > version) text += std::string(table.created) + "; ";
  return text;
}

}  // namespace

void create_tables(const sqlite::Connection& connection) {
  connection.execute(
      fmt::format("BEGIN IMMEDIATE; PRAGMA application_id = {}; {} COMMIT;", application, create_later_than(0))
          .c_str());
}

void upgrade(const sqlite::Connection& connection) {
  const std::int64_t version = pragma(connection, "PRAGMA user_version");
  if (version < format)
    connection.execute(fmt::format("BEGIN IMMEDIATE; {} COMMIT;", create_later_than(version)).c_str());
}

}  // namespace poslab::journal
