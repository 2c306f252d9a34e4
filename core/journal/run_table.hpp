// SPDX-License-Identifier: Apache-2.0
// The tables `run` and `shard` of a journal: one row, on the run that writes it or wrote it last; of a shard another,
// which says what it is a part of.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "poslab/journal/journal.hpp"
#include "poslab/journal/journal_status.hpp"
#include "sqlite.hpp"

namespace poslab::journal {

extern const char *const create_run, *const create_shard;

/// Replaces the rows, within the caller's transaction. The cells of earlier runs count as ok.
void write_run(const sqlite::Connection& connection, const JournalRun& run, const std::string& writer);

/// Adds to the counts of finished cells; of so many by status.
extern const char* const count_cells;
using StatusCounts = std::array<std::int64_t, 5>;
void bind_counts(sqlite::Statement& count, const StatusCounts& counts);

/// Sets all but `writer` and `rate`. False if there is no row: no run has planned yet.
bool read_run(const sqlite::Connection& connection, JournalStatus& status);

/// The packed ShardRecord; empty: the run is not one of a shard.
std::string read_shard(const sqlite::Connection& connection);

}  // namespace poslab::journal
