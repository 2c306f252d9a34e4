// SPDX-License-Identifier: Apache-2.0
#include "poslab/journal/shard_journal.hpp"

#include <utility>

#include "cells_table.hpp"
#include "file_lock.hpp"
#include "journal_database.hpp"
#include "journal_file.hpp"
#include "poslab/base/find_by.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/data/pack.hpp"
#include "run_table.hpp"

namespace poslab::journal {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<sqlite::Connection> connection_to(const fs::path& path) {
  auto connection = open_to_read(path);
  if (!connection)
    throw base::FileError(path.string(), base::is_there(path) ? "is empty" : "does not exist", "run that shard");
  return connection;
}

ShardRecord record_in(const sqlite::Connection& connection, const fs::path& path, const JournalStatus& run) {
  const std::string bytes = read_shard(connection);
  if (bytes.empty()) throw NoShardRecord(path, run);
  try {
    return unpack_shard_record(bytes);
  } catch (const data::NotPacked& damage) {
    throw base::FileError(path.string(), std::string("what it says of its shard is damaged: ") + damage.what(),
                          "run that shard again, which keeps what is done");
  }
}

}  // namespace

NoShardRecord::NoShardRecord(const fs::path& journal, const JournalStatus& run)
    : FileError(journal.string(),
                run.shard.empty() ? "holds a whole run's results and not those of a shard"
                                  : "is of an earlier poslab, which did not note what a shard is a part of",
                run.shard.empty() ? "give the journals of what poslab run --shard performed"
                                  : "run that shard again with this poslab, which keeps what is done"),
      is_shard(!run.shard.empty()) {}

ShardJournal::ShardJournal(fs::path path_) : path(std::move(path_)) {
  try {
    const auto connection = connection_to(path);
    require_intact(*connection, path);
    status.writer = holder_of_lock(with_suffix(path, "-lock"));
    read_run(*connection, status);
    record = record_in(*connection, path, status);
    content_ = content_of(*connection);
  } catch (const sqlite::Problem& problem) {
    if (is_corrupt(problem, path)) throw JournalCorrupt(path);
    throw;
  }
  for (const auto& [id, known] : content_.known)
    if (known.damaged) damaged_rows.push_back(id);
}

ShardJournal::~ShardJournal() = default;

bool ShardJournal::is_done(std::size_t i) const {
  const data::Cell& cell = record.cells.at(i);
  const auto known = content_.known.find(cell.id);
  if (cell.skip) return true;
  if (known == content_.known.end() || known->second.damaged) return false;
  const auto* scheme = base::find_by(record.schemes, &data::SchemeInfo::id, cell.variant.scheme);
  return scheme && scheme->code_hash() == known->second.origin.plugin_hash;
}

data::Outcome ShardJournal::outcome(std::size_t i) {
  const data::Cell& cell = record.cells.at(i);
  if (cell.skip) return {data::Status::skipped, cell.skip->reason};
  const std::string bytes = open().packed_outcome(cell.id);
  if (bytes.empty()) throw base::FileError(path.string(), "changed while it was read", "merge again");
  try {
    data::Outcome outcome = data::unpack<data::Outcome>(bytes);
    const auto* experiment = base::find_by(record.experiments, &data::ExperimentInfo::id, cell.experiment);
    const auto refusal = data::why_not_record_of(outcome.record, *experiment, cell);
    if (!refusal) return outcome;
    throw base::FileError(path.string(), "a record is not one of its cell: " + refusal->reason, "run that shard again");
  } catch (const data::NotPacked& damage) {
    throw base::FileError(path.string(), std::string("a record is damaged: ") + damage.what(), "run that shard again");
  }
}

std::vector<JournalMachine> ShardJournal::machines() { return open().machines(performed()); }
std::vector<JournalBuild> ShardJournal::builds() { return open().builds(performed()); }
void ShardJournal::close() { open_.reset(); }

JournalDatabase& ShardJournal::open() {
  if (!open_) open_ = std::make_unique<JournalDatabase>(connection_to(path), content_.known);
  return *open_;
}

std::vector<std::string> ShardJournal::performed() const {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < record.cells.size(); ++i)
    if (!record.cells[i].skip && is_done(i)) ids.push_back(record.cells[i].id);
  return ids;
}

}  // namespace poslab::journal
