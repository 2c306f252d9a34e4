// SPDX-License-Identifier: Apache-2.0
// The file of checkpoints beside a journal: an SQLite database with a row a cell. It is there while a long cell has a
// checkpoint.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>

#include "poslab/data/checkpoint.hpp"
#include "poslab/journal/checkpoints.hpp"
#include "sqlite.hpp"

namespace poslab::journal {

/// A checkpoint to store: of which cell, and by whom.
struct CheckpointRow {
  std::string cell, experiment, variant, maker;
  data::CheckpointPointer checkpoint;
};

std::filesystem::path checkpoint_path(const std::filesystem::path& journal);

/// For the process that holds the journal's lock; one thread at a time. All may throw sqlite::Problem.
class CheckpointFile {
 public:
  /// Creates it if it is not there. Throws base::Error for a foreign database, sqlite::Problem.
  explicit CheckpointFile(const std::filesystem::path& path);

  /// In place of an earlier one of the cell, in one transaction.
  void put(const CheckpointRow& row);
  void remove(const std::string& cell);
  /// Null if there is none of this maker, or if it is damaged.
  data::CheckpointPointer find(const std::string& cell, const std::string& maker) const;
  std::unordered_map<std::string, KnownCheckpoint> known() const;

 private:
  sqlite::Connection connection_;
};

/// Removes the file beside a journal, if it is one of checkpoints or cannot be read.
void remove_checkpoints(const std::filesystem::path& journal);

}  // namespace poslab::journal
