// SPDX-License-Identifier: Apache-2.0
// Gathers rows in one transaction and commits it in time, on a thread of its own.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "journal_database.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/journal/journal.hpp"

namespace poslab::journal {

/// Its functions may be called from any thread, and throw sqlite::Problem.
class Committer {
 public:
  explicit Committer(JournalDatabase& database);  ///< used by nobody else from now on
  Committer(const Committer&) = delete;
  Committer& operator=(const Committer&) = delete;
  ~Committer();  ///< commits what can be committed

  void set_run(const JournalRun& run, const std::string& writer);  ///< committed at once
  void on_commit(Journal::Committed committed);
  /// Throws also what the thread has met since.
  void add(std::size_t index, data::Status status, const JournalRow& row);
  void commit();

  /// Calls `use` with the database while nobody else uses it.
  template <class Use>
  auto with_database(const Use& use) {
    const std::lock_guard lock(mutex_);
    return use(database_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  // With the mutex held:
  void begin_with_retries();
  void try_to_commit(bool is_last_time);
  void abandon();
  void rethrow() const;

  void commit_in_time();  // the thread

  JournalDatabase& database_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Journal::Committed committed_;
  std::vector<std::size_t> uncommitted_;  // as `add` was given them
  StatusCounts counts_{};                 // of these
  Clock::time_point since_;               // the first of these was added
  std::exception_ptr problem_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace poslab::journal
