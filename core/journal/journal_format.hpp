// SPDX-License-Identifier: Apache-2.0
// How a database says that it is a journal of this program.
#pragma once

#include <filesystem>

#include "sqlite.hpp"

namespace poslab::journal {

bool is_empty(const sqlite::Connection& connection);
/// Throws JournalForeign for the database of another program.
void require_ours_or_empty(const sqlite::Connection& connection, const std::filesystem::path& path);
/// Throws JournalForeign for a journal of an earlier or later poslab.
void require_our_format(const sqlite::Connection& connection, const std::filesystem::path& path);
/// Throws sqlite::Problem if a table is missing or changed, JournalForeign if there is anything else.
void require_our_tables(const sqlite::Connection& connection, const std::filesystem::path& path);
/// In an empty database.
void create_tables(const sqlite::Connection& connection);

}  // namespace poslab::journal
