// SPDX-License-Identifier: Apache-2.0
// What a run reads and writes in its open journal, by statements that are prepared once. For one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "cells_table.hpp"
#include "poslab/journal/journal.hpp"
#include "run_table.hpp"
#include "sqlite.hpp"

namespace poslab::journal {

/// All may throw sqlite::Problem.
class JournalDatabase {
 public:
  JournalDatabase(std::unique_ptr<sqlite::Connection> connection,
                  const std::unordered_map<std::string, KnownCell>& known);

  void begin_transaction() { connection_->execute("BEGIN IMMEDIATE"); }
  void commit() { connection_->execute("COMMIT"); }
  void roll_back() noexcept;  ///< if there is a transaction

  // Within a transaction:
  void set_run(const JournalRun& run, const std::string& writer);
  void put(const JournalRow& row);  ///< replaces an earlier one of the cell
  void count(const StatusCounts& counts);

  bool has(const std::string& cell_id) const { return numbers_.count(cell_id) > 0; }
  /// Precondition: it has the cell. Empty if another program has removed the row.
  std::string packed_outcome(const std::string& cell_id);
  /// As Journal::machines.
  std::vector<JournalMachine> machines(const std::vector<std::string>& cell_ids);
  /// As Journal::builds.
  std::vector<JournalBuild> builds(const std::vector<std::string>& cell_ids);

 private:
  std::unique_ptr<sqlite::Connection> connection_;
  std::unordered_map<std::string, std::int64_t> numbers_;  // of the rows, by identity of the cell
  std::int64_t next_;  // number of the next row: higher than that of any other, also of one that is replaced
  sqlite::Statement insert_, remove_, count_, select_outcome_, select_machine_, select_variant_;
};

}  // namespace poslab::journal
