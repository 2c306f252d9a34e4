// SPDX-License-Identifier: Apache-2.0
// Stores checkpoints on a thread of its own. Of each cell the newest waits; what it replaces before its turn is never
// written, so a slow disk makes checkpoints rarer and delays nobody.
#pragma once

#include <condition_variable>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "checkpoint_file.hpp"

namespace poslab::journal {

/// Its functions may be called from any thread.
class CheckpointKeeper {
 public:
  /// Opens the file if there is one. One that is damaged as a database is renamed; `notices` says so. Throws
  /// base::Error for a foreign database, sqlite::Problem.
  CheckpointKeeper(const std::filesystem::path& path, std::vector<std::string>& notices);
  CheckpointKeeper(const CheckpointKeeper&) = delete;
  CheckpointKeeper& operator=(const CheckpointKeeper&) = delete;
  /// Stores what waits. The file is removed if nothing is left in it.
  ~CheckpointKeeper();

  /// Throws what storing an earlier one has met, as on a full disk.
  void keep(CheckpointRow row);
  void forget(const std::string& cell);
  bool has(const std::string& cell) const;
  bool has_any() const;
  /// As CheckpointFile::find; also one that waits.
  data::CheckpointPointer find(const std::string& cell, const std::string& maker);

 private:
  void store_all();  // the thread
  void store_next();
  CheckpointRow take_next();
  void put_back(CheckpointRow&& row);
  CheckpointFile& file();

  const std::filesystem::path path_;
  std::mutex file_mutex_;  // taken before `mutex_`
  std::unique_ptr<CheckpointFile> file_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, CheckpointRow> waiting_;  // by cell; one without a checkpoint is to be removed
  std::set<std::string> cells_;                   // that have one, stored or waiting
  std::string last_;                              // the cell that had its turn
  std::exception_ptr problem_;
  bool ending_ = false;
  std::thread thread_;  // begins with the first that is stored
};

}  // namespace poslab::journal
