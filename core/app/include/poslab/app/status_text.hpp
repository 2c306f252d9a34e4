// SPDX-License-Identifier: Apache-2.0
// What `poslab status` says of the journals that it found.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "poslab/app/journals_found.hpp"
#include "poslab/run/journal_status.hpp"

namespace poslab::app {

struct LookedJournal {
  std::string path;
  run::JournalStatus status;
};

/// One way in which a results file was begun, as its journals say.
struct LookedWay {
  Way way;
  std::vector<LookedJournal> looked;
  std::vector<std::string> unreadable;
};

/// Cells, by what became of them.
struct CellCounts {
  std::int64_t planned = 0, ok = 0, failed = 0, crashed = 0, timeout = 0, skipped = 0, left = 0;
  bool complete = true;  ///< all are done, and nothing is missing that would have more
};

CellCounts counts_of(const std::vector<LookedWay>& all);
std::string status_text(const std::vector<LookedWay>& all);
std::string status_json(const std::vector<LookedWay>& all);

}  // namespace poslab::app
