// SPDX-License-Identifier: Apache-2.0
// How far runs are, by their journals: counted for each way in which a results file was begun, and in all.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "poslab/journal/journal_status.hpp"
#include "poslab/journal/partitions.hpp"

namespace poslab::run {

/// Cells, by what became of them.
struct CellCounts {
  std::int64_t planned = 0, ok = 0, failed = 0, crashed = 0, timeout = 0, skipped = 0, left = 0;
  bool complete = true;  ///< none is left, and no shard or journal is missing that would have more
};

struct JournalEntry {
  std::string path;
  journal::JournalStatus status;
};

struct UnreadableJournal {
  std::string path, problem;
};

/// One way in which a results file was begun: in one piece, or in shards.
struct PartitionStatus {
  journal::Partition partition;
  std::vector<JournalEntry> journals;
  std::vector<UnreadableJournal> unreadable;
};

/// The status of what the words after `poslab status` name. A journal that cannot be read becomes an entry, not an
/// exception.
std::vector<PartitionStatus> status_of(const std::vector<std::string>& files);

CellCounts counts_of(const journal::JournalStatus& status);
CellCounts counts_of(const PartitionStatus& partition);
CellCounts counts_of(const std::vector<PartitionStatus>& all);

/// Results files that were begun in several ways. Their partitions have the same cells, so no sum goes over them.
std::set<std::string> divided_in_several_ways(const std::vector<PartitionStatus>& all);

}  // namespace poslab::run
