// SPDX-License-Identifier: Apache-2.0
// The progress of a run, from its journal alone, also while it is written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "poslab/journal/checkpoints.hpp"

namespace poslab::journal {

struct JournalStatus {
  std::string title, study_hash, study_path, resolved_study, shard, poslab, began_by;
  std::int64_t began = 0;  ///< seconds since 1970
  std::int64_t planned = 0, skipped = 0, ok = 0, failed = 0, crashed = 0, timeout = 0;
  bool begun = false;  ///< false: the run ended before it had planned
  std::string writer;  ///< the process that writes it now; empty: none
  double rate =
      0;  ///< cells a second, finished in the last minutes; 0: no process writes it, or too few cells to estimate

  std::vector<KnownCheckpoint> checkpoints;  ///< of long cells, the newest last

  bool is_finished() const { return begun && left() == 0; }
  std::int64_t done() const { return ok + failed + crashed + timeout; }
  std::int64_t left() const { return planned - skipped - done(); }
  double seconds_left() const { return rate > 0 ? static_cast<double>(left()) / rate : 0; }
};

/// Throws base::Error for a foreign file, base::FileError: also if there is none.
JournalStatus status_of_journal(const std::filesystem::path& path);

}  // namespace poslab::journal
