// SPDX-License-Identifier: Apache-2.0
// How a database says that it is a journal of this program.
#pragma once

#include <cstdint>
#include <filesystem>

#include "sqlite.hpp"

namespace poslab::journal {

/// A file that this program cannot use as a journal: of another format, or not a journal of poslab at all.
base::Error foreign_journal(const std::filesystem::path& journal, const std::string& problem, const std::string& hint);

/// The number that a statement gives, as most pragmas do; 0 if it gives none.
std::int64_t pragma(const sqlite::Connection& connection, const char* text);
bool is_empty(const sqlite::Connection& connection);
/// Throws `foreign_journal` for the database of another program.
void require_ours_or_empty(const sqlite::Connection& connection, const std::filesystem::path& path);
/// Throws `foreign_journal` for a journal of a poslab that is too old or later.
void require_our_format(const sqlite::Connection& connection, const std::filesystem::path& path);
/// Gives a journal of an earlier poslab, whose tables are as they were created, what it lacks.
void upgrade(const sqlite::Connection& connection);
/// Throws sqlite::Problem if a table is missing or changed, `foreign_journal` if there is anything else.
void require_our_tables(const sqlite::Connection& connection, const std::filesystem::path& path);
/// In an empty database.
void create_tables(const sqlite::Connection& connection);

}  // namespace poslab::journal
