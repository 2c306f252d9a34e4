// SPDX-License-Identifier: Apache-2.0
// A journal as a file: its tables, what makes a row trustworthy, opening it, and what to do with one that is broken.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "poslab/run/journal.hpp"
#include "sqlite.hpp"

namespace poslab::run {

struct OpenJournal {
  std::unique_ptr<sqlite::Connection> connection;
  JournalContent content;
};

/// For the one process that holds the lock. Puts a corrupt database aside, drops damaged rows.
OpenJournal open_to_write(const std::filesystem::path& path);
/// Whether `problem` says that a journal is broken, and not that it cannot be got at.
bool is_corrupt(const sqlite::Problem& problem, const std::filesystem::path& path);
/// For anybody. Null if there is no file, or nothing in it yet. Throws JournalForeign, sqlite::Problem.
std::unique_ptr<sqlite::Connection> open_to_read(const std::filesystem::path& path);
/// Every row, each with its checksums verified.
JournalContent content_of(const sqlite::Connection& connection);
/// The database and its side files. Throws JournalForeign for another's database: that is not ours to remove.
void remove_journal(const std::filesystem::path& path);

/// One row of `cells`, as it is written.
struct JournalRow {
  std::string id, experiment, scheme, variant, axes;
  std::int64_t repeat = 0, seed = 0;
  std::string status, message;
  Origin origin;
  std::string question;
  std::string outcome;  ///< as base::pack writes it
};
JournalRow row_of(const base::Cell& cell, const base::Outcome& outcome, const Origin& origin);

extern const char* const insert_row;
void bind_row(sqlite::Statement& insert, const JournalRow& row, double seconds, const JournalMachine& machine);

std::filesystem::path with_suffix(const std::filesystem::path& path, const std::string& suffix);

}  // namespace poslab::run
