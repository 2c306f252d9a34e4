// SPDX-License-Identifier: Apache-2.0
// The table `cells` of a journal: a row a finished cell, with a checksum.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "poslab/data/cell.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/journal/journal.hpp"
#include "sqlite.hpp"

namespace poslab::journal {

extern const char* const create_cells;

struct JournalRow {
  std::string id, experiment, scheme, variant, axes;
  std::int64_t repeat = 0, seed = 0;
  std::string status, message;
  double seconds = 0;
  std::int64_t finished = 0;  ///< seconds since 1970
  Origin origin;
  std::string question, host, processor;
  std::string checksum;      ///< of what conclusions are drawn from
  std::string_view outcome;  ///< packed; of the PackedOutcome, or of the statement until its next step
};

/// Finished now, on the machine named by `here`. `outcome` must outlive the row.
JournalRow row_of(const data::Cell& cell, const data::PackedOutcome& outcome, const Origin& origin,
                  const JournalMachine& here);

std::string insert_row();  ///< the statement
void bind_row(sqlite::Statement& insert, const JournalRow& row, std::int64_t number);

/// Every row, each with its checksums verified.
JournalContent content_of(const sqlite::Connection& connection);

}  // namespace poslab::journal
