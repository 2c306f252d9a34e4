// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/run_status.hpp"

#include "poslab/base/error.hpp"

namespace poslab::run {
namespace {

void add(CellCounts& sum, const CellCounts& more) {
  sum.planned += more.planned, sum.ok += more.ok, sum.failed += more.failed, sum.crashed += more.crashed;
  sum.timeout += more.timeout, sum.skipped += more.skipped, sum.left += more.left;
  sum.complete = sum.complete && more.complete;
}

PartitionStatus status_of(const journal::Partition& partition) {
  PartitionStatus status{partition, {}, {}};
  for (const auto& path : partition.journals) {
    try {
      status.journals.push_back({path.string(), journal::status_of_journal(path)});
    } catch (const base::Error& problem) {
      status.unreadable.push_back({path.string(), problem.what()});
    }
  }
  return status;
}

}  // namespace

std::vector<PartitionStatus> status_of(const std::vector<std::string>& files) {
  std::vector<PartitionStatus> all;
  for (const journal::Partition& partition : journal::partitions_of(files)) all.push_back(status_of(partition));
  return all;
}

CellCounts counts_of(const journal::JournalStatus& status) {
  return {status.planned, status.ok,      status.failed, status.crashed,
          status.timeout, status.skipped, status.left(), status.is_finished()};
}

CellCounts counts_of(const PartitionStatus& partition) {
  CellCounts sum;
  for (const JournalEntry& entry : partition.journals) add(sum, counts_of(entry.status));
  sum.complete = sum.complete && partition.partition.missing.empty() && partition.unreadable.empty();
  return sum;
}

CellCounts counts_of(const std::vector<PartitionStatus>& all) {
  CellCounts sum;
  for (const PartitionStatus& partition : all) add(sum, counts_of(partition));
  return sum;
}

std::set<std::string> divided_in_several_ways(const std::vector<PartitionStatus>& all) {
  std::set<std::string> once, again;
  for (const PartitionStatus& one : all) {
    const std::string output = one.partition.output.lexically_normal().string();
    if (!once.insert(output).second) again.insert(output);
  }
  return again;
}

}  // namespace poslab::run
