// SPDX-License-Identifier: Apache-2.0
#include "checkpoint_keeper.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "journal_file.hpp"

namespace poslab::journal {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::milliseconds pause{50};  // for those who look at the file, however often cells keep something

}  // namespace

CheckpointKeeper::CheckpointKeeper(const fs::path& path, std::vector<std::string>& notices) : path_(path) {
  if (!fs::exists(path)) return;
  try {
    for (const auto& [cell, known] : file().known()) cells_.insert(cell);
  } catch (const sqlite::Problem& problem) {
    file_.reset();
    if (!is_corrupt(problem, path)) throw;
    const fs::path aside = rename_corrupt(path);
    notices.push_back(fmt::format("the checkpoints in {} were damaged: they are kept as {}, and their cells begin anew",
                                  path.string(), aside.string()));
  }
}

CheckpointKeeper::~CheckpointKeeper() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (!file_ || !cells_.empty() || problem_) return;
  file_.reset();
  try {
    remove_database(path_);
  } catch (const fs::filesystem_error&) {  // it has no checkpoint, and does no harm
  }
}

void CheckpointKeeper::keep(CheckpointRow row) {
  {
    const std::lock_guard lock(mutex_);
    if (problem_) std::rethrow_exception(problem_);
    cells_.insert(row.cell);
    std::string cell = row.cell;
    waiting_.insert_or_assign(std::move(cell), std::move(row));
    if (!thread_.joinable()) thread_ = std::thread([this] { store_all(); });
  }
  changed_.notify_all();
}

void CheckpointKeeper::forget(const std::string& cell) {
  {
    const std::lock_guard lock(mutex_);
    if (cells_.erase(cell) == 0 || problem_) return;
    waiting_.insert_or_assign(cell, CheckpointRow{cell, "", "", "", nullptr});
    if (!thread_.joinable()) thread_ = std::thread([this] { store_all(); });
  }
  changed_.notify_all();
}

bool CheckpointKeeper::has(const std::string& cell) const {
  const std::lock_guard lock(mutex_);
  return cells_.count(cell) > 0;
}

bool CheckpointKeeper::has_any() const {
  const std::lock_guard lock(mutex_);
  return !cells_.empty();
}

data::CheckpointPointer CheckpointKeeper::find(const std::string& cell, const std::string& maker) {
  const std::lock_guard file_lock(file_mutex_);
  {
    const std::lock_guard lock(mutex_);
    if (cells_.count(cell) == 0) return nullptr;
    if (const auto found = waiting_.find(cell); found != waiting_.end())
      return found->second.maker == maker ? found->second.checkpoint : nullptr;
  }
  return file().find(cell, maker);
}

CheckpointFile& CheckpointKeeper::file() {
  if (!file_) file_ = std::make_unique<CheckpointFile>(path_);
  return *file_;
}

void CheckpointKeeper::store_all() {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
    }
    try {
      store_next();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      problem_ = std::current_exception();  // for the next call of `keep`
      return;
    }
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, pause, [this] { return ending_; });
  }
}

void CheckpointKeeper::store_next() {
  const std::lock_guard file_lock(file_mutex_);
  CheckpointRow row = take_next();
  try {
    if (row.checkpoint)
      file().put(row);
    else
      file().remove(row.cell);
  } catch (const sqlite::Problem& problem) {
    if (problem.code != SQLITE_BUSY) throw;
    put_back(std::move(row));  // somebody has looked at the file for longer than a moment
  }
}

// The cells take turns, however often one of them keeps something.
CheckpointRow CheckpointKeeper::take_next() {
  const std::lock_guard lock(mutex_);
  auto next = waiting_.upper_bound(last_);
  if (next == waiting_.end()) next = waiting_.begin();
  CheckpointRow row = std::move(next->second);
  waiting_.erase(next);
  last_ = row.cell;
  return row;
}

void CheckpointKeeper::put_back(CheckpointRow&& row) {
  const std::lock_guard lock(mutex_);
  if (ending_) return;  // what is stored already has to do
  std::string cell = row.cell;
  waiting_.try_emplace(std::move(cell), std::move(row));  // unless there is a newer one
}

}  // namespace poslab::journal
