// SPDX-License-Identifier: Apache-2.0
// Rollback journal, not WAL: WAL needs memory shared between readers and writer, which network disks do not offer.
// synchronous = EXTRA: the directory is synced, too, after the side file is removed; only then is a commit durable.
// A reader delays the writer only for the moment of its query, which the busy time-out covers.
#include "journal_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "cells_table.hpp"
#include "checkpoint_file.hpp"
#include "journal_format.hpp"
#include "poslab/base/count.hpp"
#include "poslab/base/regular_file.hpp"

namespace poslab::journal {
namespace {

namespace fs = std::filesystem;

// Throws sqlite::Problem for a corrupt one.
OpenJournal open_intact(const fs::path& path) {
  OpenJournal journal{std::make_unique<sqlite::Connection>(path, sqlite::Connection::Mode::write), {}};
  const sqlite::Connection& connection = *journal.connection;
  const bool is_new = is_empty(connection);
  if (!is_new) {
    require_ours_or_empty(connection, path);
    require_our_format(connection, path);
  }
  if (sqlite3_db_readonly(connection.get(), "main") == 1)
    throw sqlite::Problem(path.string(), SQLITE_READONLY, "cannot be written");
  connection.execute("PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA;");
  if (is_new) {
    create_tables(connection);
    return journal;
  }
  require_our_tables(connection, path);
  require_intact(connection, path);
  journal.content = content_of(connection);
  upgrade(connection);
  return journal;
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): the connection leaves with the journal

void remove_damaged(OpenJournal& journal) {
  const std::size_t all = journal.content.known.size();
  const auto is_damaged = [](const auto& entry) { return entry.second.damaged; };
  if (std::none_of(journal.content.known.begin(), journal.content.known.end(), is_damaged)) return;
  sqlite::Statement remove(*journal.connection, "DELETE FROM cells WHERE number = :number");
  journal.connection->execute("BEGIN IMMEDIATE");
  const std::size_t damaged = std::erase_if(journal.content.known, [&](const auto& entry) {
    if (!is_damaged(entry)) return false;
    remove.bind(":number", entry.second.number).step();
    remove.reset();
    return true;
  });
  journal.connection->execute("COMMIT");
  journal.content.notices.push_back(fmt::format("{} of the journal's {} had a wrong checksum and {} again", damaged,
                                                base::counted(all, "cell"), damaged == 1 ? "runs" : "run"));
}

}  // namespace

// First the database, then its side file: SQLite never applies a side file to a database that is not there.
fs::path rename_corrupt(const fs::path& path) {
  fs::path aside = with_suffix(path, ".corrupt");
  for (int number = 2; fs::exists(aside); ++number) aside = with_suffix(path, fmt::format(".corrupt-{}", number));
  fs::rename(path, aside);
  std::error_code none_there;
  fs::rename(with_suffix(path, "-journal"), with_suffix(aside, "-journal"), none_there);
  return aside;
}

// A flipped bit in the header can make a file "readonly" that is not, or of a format that SQLite has never heard of.
bool is_corrupt(const sqlite::Problem& problem, const fs::path& path) {
  return problem.is_corrupt() || problem.code == SQLITE_ERROR ||
         (problem.code == SQLITE_READONLY && access(path.c_str(), W_OK) == 0 &&
          access(fs::absolute(path).parent_path().c_str(), W_OK) == 0);
}

OpenJournal open_to_write(const fs::path& path) {
  const bool was_there = base::is_there(path);
  OpenJournal journal;
  try {
    journal = open_intact(path);
  } catch (const sqlite::Problem& problem) {
    if (!is_corrupt(problem, path)) throw;
    const fs::path aside = rename_corrupt(path);
    journal = open_intact(path);
    journal.content.notices.push_back(fmt::format(
        "the journal {} was corrupt: it is kept as {}, and its cells run again", path.string(), aside.string()));
  }
  remove_damaged(journal);
  journal.was_empty = was_there && journal.content.known.empty() && journal.content.notices.empty();
  return journal;
}

void require_intact(const sqlite::Connection& connection, const fs::path& path) {
  sqlite::Statement check(connection, "PRAGMA quick_check(1)");
  if (!check.step() || check.text(0) != "ok") throw sqlite::Problem(path.string(), SQLITE_CORRUPT, check.text(0));
}

std::unique_ptr<sqlite::Connection> open_to_read(const fs::path& path) {
  if (!base::is_there(path)) return nullptr;
  auto connection = std::make_unique<sqlite::Connection>(path, sqlite::Connection::Mode::read);
  if (is_empty(*connection)) return nullptr;
  require_ours_or_empty(*connection, path);
  require_our_format(*connection, path);
  require_our_tables(*connection, path);
  return connection;
}

void remove_journal(const fs::path& path) {
  bool is_database = true;
  if (base::is_there(path)) {
    try {
      require_ours_or_empty(sqlite::Connection(path, sqlite::Connection::Mode::read), path);
    } catch (const sqlite::Problem& problem) {
      is_database = problem.code != SQLITE_NOTADB;  // opening it renames it
    }
  }
  if (is_database) remove_database(path);
  remove_checkpoints(path);
}

void remove_database(const fs::path& path) {
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) fs::remove(with_suffix(path, suffix));
}

fs::path with_suffix(const fs::path& path, const std::string& suffix) { return path.string() + suffix; }

}  // namespace poslab::journal
