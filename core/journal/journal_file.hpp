// SPDX-License-Identifier: Apache-2.0
// A journal as a file: opening it, removing it, and what becomes of one that is corrupt.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "poslab/journal/journal.hpp"
#include "sqlite.hpp"

namespace poslab::journal {

struct OpenJournal {
  std::unique_ptr<sqlite::Connection> connection;
  JournalContent content;
  bool was_empty = false;  ///< a file that was there, and had no cell
};

/// For the process that holds the lock. Renames a corrupt database and begins a new one, removes damaged rows.
OpenJournal open_to_write(const std::filesystem::path& path);
/// Looks through all pages of a database. Throws sqlite::Problem for a corrupt one.
void require_intact(const sqlite::Connection& connection, const std::filesystem::path& path);
/// Whether `problem` says that a journal is corrupt, and not that there is no access to it.
bool is_corrupt(const sqlite::Problem& problem, const std::filesystem::path& path);
/// Without the lock. Null if there is no file, or nothing in it yet. Throws base::Error for a foreign database,
/// sqlite::Problem.
std::unique_ptr<sqlite::Connection> open_to_read(const std::filesystem::path& path);
/// Gives a corrupt database and its side file a name beside it, which is returned.
std::filesystem::path rename_corrupt(const std::filesystem::path& path);
/// Removes the database, its side files and its checkpoints. Throws base::Error for a database of another program.
void remove_journal(const std::filesystem::path& path);
/// A database of SQLite with its side files.
void remove_database(const std::filesystem::path& path);

std::filesystem::path with_suffix(const std::filesystem::path& path, const std::string& suffix);

}  // namespace poslab::journal
