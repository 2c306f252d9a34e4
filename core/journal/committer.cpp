// SPDX-License-Identifier: Apache-2.0
#include "committer.hpp"

#include <utility>

namespace poslab::journal {
namespace {

constexpr std::chrono::milliseconds max_wait{300};  // of a finished cell for its commit
constexpr int max_attempts = 6;  // busy time-outs that the first and the last transaction wait for a reader

}  // namespace

Committer::Committer(JournalDatabase& database) : database_(database), thread_([this] { commit_in_time(); }) {}

Committer::~Committer() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
  try {
    commit();
  } catch (const base::Error&) {  // what was committed before stays; a caller that needs to know calls commit itself
  }
}

void Committer::set_run(const JournalRun& run, const std::string& writer) {
  const std::lock_guard lock(mutex_);
  begin_with_retries();
  database_.set_run(run, writer);
  database_.commit();
}

void Committer::on_commit(Journal::Committed committed) {
  const std::lock_guard lock(mutex_);
  committed_ = std::move(committed);
}

void Committer::add(std::size_t index, data::Status status, const JournalRow& row) {
  {
    const std::lock_guard lock(mutex_);
    rethrow();
    try {
      if (uncommitted_.empty()) {
        database_.begin_transaction();
        since_ = Clock::now();
      }
      database_.put(row);
    } catch (...) {
      abandon();
      throw;
    }
    uncommitted_.push_back(index);
    ++counts_[static_cast<std::size_t>(status)];
  }
  changed_.notify_all();
}

void Committer::commit() {
  const std::lock_guard lock(mutex_);
  rethrow();
  for (int attempt = 1; !uncommitted_.empty(); ++attempt) try_to_commit(attempt == max_attempts);
}

// Somebody may look at the journal in an open transaction for longer than a moment.
void Committer::begin_with_retries() {
  for (int attempt = 1;; ++attempt) try {
      return database_.begin_transaction();
    } catch (const sqlite::Problem& problem) {
      if (problem.code != SQLITE_BUSY || attempt == max_attempts) throw;
    }
}

// A reader that stays longer than the busy time-out delays a commit, and nothing is lost, unless it is the last time.
void Committer::try_to_commit(bool is_last_time) {
  if (uncommitted_.empty()) return;
  try {
    database_.count(counts_);
    counts_ = {};
    database_.commit();
  } catch (const sqlite::Problem& problem) {
    since_ = Clock::now();
    if (problem.code == SQLITE_BUSY && !is_last_time) return;
    abandon();
    throw;
  }
  const std::vector<std::size_t> done = std::exchange(uncommitted_, {});
  if (committed_) committed_(done);
}

// What was not committed is lost, and nobody was told that it was done.
void Committer::abandon() {
  problem_ = std::current_exception();
  uncommitted_.clear();
  database_.roll_back();
}

void Committer::rethrow() const {
  if (problem_) std::rethrow_exception(problem_);
}

void Committer::commit_in_time() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (uncommitted_.empty())
      changed_.wait(lock);
    else if (changed_.wait_until(lock, since_ + max_wait) == std::cv_status::timeout)
      try {
        try_to_commit(false);
      } catch (...) {
        problem_ = std::current_exception();  // for the next call of `add` or `commit`
      }
  }
}

}  // namespace poslab::journal
