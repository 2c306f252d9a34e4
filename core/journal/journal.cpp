// SPDX-License-Identifier: Apache-2.0
#include "poslab/journal/journal.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "cells_table.hpp"
#include "checkpoint_file.hpp"
#include "checkpoint_keeper.hpp"
#include "committer.hpp"
#include "file_lock.hpp"
#include "journal_database.hpp"
#include "journal_file.hpp"
#include "poslab/base/machine.hpp"
#include "poslab/data/pack.hpp"

namespace poslab::journal {
namespace {

namespace fs = std::filesystem;

constexpr int max_links = 40;  // that lead to one another

}  // namespace

JournalCorrupt::JournalCorrupt(const fs::path& journal)
    : FileError(journal.string(), "is corrupt",
                "a run keeps it aside as " + with_suffix(journal, ".corrupt").string() + " and does its cells again") {}

// The lock first: nothing is opened, let alone removed, without it.
struct Journal::Open {
  Open(const fs::path& path_, Start start)
      : path(path_),
        lock(held(path)),
        file(open_file(path, start)),
        content(std::move(file.content)),
        checkpoints(checkpoint_path(path), content.notices),
        database(std::move(file.connection), content.known),
        committer(database) {
    if (file.was_empty && !checkpoints.has_any())  // else its cells are not lost
      content.notices.push_back(fmt::format("the journal {} was empty", path.string()));
    on_commit(nullptr);
  }

  static std::unique_ptr<FileLock> held(const fs::path& path) {
    auto lock = std::make_unique<FileLock>(with_suffix(path, "-lock"));
    if (!lock->held())
      throw base::Error(base::Error::Kind::busy,
                        fmt::format("{}: another process is writing this file, {}", path.string(), lock->holder()),
                        "wait for that run to end, or choose another output with -o");
    return lock;
  }
  void on_commit(Committed committed) {
    committer.on_commit([this, committed = std::move(committed)](const std::vector<std::size_t>& indices) {
      for (const std::size_t index : indices)
        if (const auto found = long_cells.find(index); found != long_cells.end()) {
          checkpoints.forget(found->second);
          long_cells.erase(found);
        }
      if (committed) committed(indices);
    });
  }
  void add(std::size_t index, const JournalRow& row, data::Status status) {
    if (checkpoints.has(row.id)) committer.with_database([&](JournalDatabase&) { long_cells[index] = row.id; });
    committer.add(index, status, row);
  }
  static OpenJournal open_file(const fs::path& path, Start start) {
    if (start == Start::fresh) remove_journal(path);
    return open_to_write(path);
  }

  fs::path path;
  std::unique_ptr<FileLock> lock;
  OpenJournal file;
  JournalContent content;
  CheckpointKeeper checkpoints;
  std::map<std::size_t, std::string> long_cells;  // added, not committed, and with a checkpoint; the committer's lock
  JournalDatabase database;
  Committer committer;
  JournalMachine here{base::host_name(), base::processor_name(), 0, 0, 0};
};

Journal::Journal(const fs::path& path, Start start) : open_(std::make_unique<Open>(path, start)) {}
Journal::~Journal() = default;

JournalContent Journal::read(const fs::path& path) {
  try {
    const auto connection = open_to_read(path);
    return connection ? content_of(*connection) : JournalContent{};
  } catch (const sqlite::Problem& problem) {
    if (is_corrupt(problem, path)) throw JournalCorrupt(path);
    throw;
  }
}

fs::path Journal::beside(const fs::path& output) {
  fs::path file = output;
  std::error_code none;
  for (int link = 0; link < max_links && fs::is_symlink(file, none); ++link)
    file = file.parent_path() / fs::read_symlink(file, none);  // which is itself where it is absolute
  return with_suffix(file, ".journal");
}

const std::unordered_map<std::string, KnownCell>& Journal::known() const { return open_->content.known; }
const std::vector<std::string>& Journal::notices() const { return open_->content.notices; }

void Journal::begin(const JournalRun& run) {
  open_->content.known.clear();
  open_->committer.set_run(run, open_->lock->holder());
}

void Journal::on_commit(Committed committed) { open_->on_commit(std::move(committed)); }

void Journal::add(std::size_t index, const data::Cell& cell, const data::PackedOutcome& outcome, const Origin& origin) {
  open_->add(index, row_of(cell, outcome, origin, open_->here), outcome.outcome().status);
}

void Journal::keep(const data::Cell& cell, data::CheckpointPointer checkpoint, const std::string& maker) {
  open_->checkpoints.keep({cell.id, cell.experiment, cell.variant.label, maker, std::move(checkpoint)});
}

data::CheckpointPointer Journal::checkpoint(const std::string& cell_id, const std::string& maker) const {
  return open_->checkpoints.find(cell_id, maker);
}

bool Journal::has_checkpoint(const std::string& cell_id) const { return open_->checkpoints.has(cell_id); }

void Journal::forget_checkpoint(const std::string& cell_id) { open_->checkpoints.forget(cell_id); }

void Journal::commit() { open_->committer.commit(); }

data::Outcome Journal::outcome(const std::string& cell_id) const {
  const std::string bytes = open_->committer.with_database([&](JournalDatabase& database) {
    if (!database.has(cell_id))
      throw base::Error(base::Error::Kind::file,
                        fmt::format("{}: cell {} is gone from it, so something else has written to it; no results file "
                                    "was written: the same command performs what is missing",
                                    open_->path.string(), cell_id));
    return database.packed_outcome(cell_id);
  });
  try {
    return data::unpack<data::Outcome>(bytes);
  } catch (const data::NotPacked& problem) {
    throw base::FileError(open_->path.string(),
                          fmt::format("the record of cell {} is damaged: {}", cell_id, problem.what()),
                          "run the same command again: that cell is done again");
  }
}

std::vector<JournalMachine> Journal::machines(const std::vector<std::string>& cell_ids) const {
  return open_->committer.with_database([&](JournalDatabase& database) { return database.machines(cell_ids); });
}

std::vector<JournalBuild> Journal::builds(const std::vector<std::string>& cell_ids) const {
  return open_->committer.with_database([&](JournalDatabase& database) { return database.builds(cell_ids); });
}

}  // namespace poslab::journal
