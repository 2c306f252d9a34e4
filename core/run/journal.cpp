// SPDX-License-Identifier: Apache-2.0
// Writing a journal: rows gather in one transaction, which a thread of its own commits in time.
#include "poslab/run/journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "file_lock.hpp"
#include "journal_file.hpp"
#include "poslab/base/pack.hpp"
#include "poslab/run/machine.hpp"
#include "sqlite.hpp"

namespace poslab::run {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds longest_wait{300};  // of a finished cell for its commit
constexpr int most_links = 40;                          // that lead to one another
constexpr int patience = 6;                             // busy time-outs that the last commit waits for a reader

constexpr const char* count_up = R"(
  UPDATE run SET ok = ok + ?1, failed = failed + ?2, crashed = crashed + ?3, timeout = timeout + ?4)";

}  // namespace

JournalHeld::JournalHeld(const std::string& journal, const std::string& holder)
    : base::Error(fmt::format("{} is being written by {}: wait for that run to end, or choose another output with -o",
                              journal, holder)) {}

class Journal::Database {
 public:
  Database(const fs::path& path, Start start) : path_(path.string()), lock_(with_suffix(path, "-lock")) {
    if (!lock_.held()) throw JournalHeld(path_, lock_.holder());
    if (start == Start::fresh) remove_journal(path);
    OpenJournal opened = open_to_write(path);
    connection_ = std::move(opened.connection);
    content_ = std::move(opened.content);
    for (const auto& [id, known] : content_.known) numbers_.emplace(id, known.number);
    insert_.emplace(*connection_, insert_row);
    remove_.emplace(*connection_, "DELETE FROM cells WHERE number = ?1");
    select_.emplace(*connection_, "SELECT outcome FROM cells WHERE number = ?1");
    count_.emplace(*connection_, count_up);
    where_.emplace(*connection_, "SELECT host, processor, finished FROM cells WHERE number = ?1");
    committer_ = std::thread([this] { commit_in_time(); });
  }
  ~Database() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    committer_.join();
    try {
      commit();
    } catch (const base::Error&) {  // what was committed before stays; those who need to know call commit themselves
    }
  }

  void begin(const JournalRun& run) {
    const std::lock_guard lock(mutex_);
    content_.known.clear();
    begin_patiently();
    connection_->execute("DELETE FROM run");
    sqlite::Statement set(*connection_,
                          "INSERT INTO run VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, 0, 0, ?10, ?11)");
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    set.bind(1, run.title).bind(2, run.study_hash).bind(3, run.study_path).bind(4, run.resolved_study);
    set.bind(5, run.shard).bind(6, run.poslab).bind(7, static_cast<std::int64_t>(run.planned));
    set.bind(8, static_cast<std::int64_t>(run.skipped)).bind(9, static_cast<std::int64_t>(run.kept));
    set.bind(10, std::int64_t{now}).bind(11, lock_.holder()).step();
    connection_->execute("COMMIT");
  }

  void add(std::size_t index, const base::Cell& cell, const base::Outcome& outcome, const Origin& origin) {
    const JournalRow row = row_of(cell, outcome, origin);
    {
      const std::lock_guard lock(mutex_);
      rethrow();
      try {
        insert(row, outcome.seconds);
      } catch (...) {
        give_up();
        throw;
      }
      waiting_.push_back(index);
      ++counts_[static_cast<std::size_t>(outcome.status)];
    }
    changed_.notify_all();
  }

  void report_to(Committed committed) {
    const std::lock_guard lock(mutex_);
    committed_ = std::move(committed);
  }

  void commit() {
    const std::lock_guard lock(mutex_);
    rethrow();
    for (int attempt = 1; !waiting_.empty(); ++attempt) commit_waiting(attempt == patience);
  }

  base::Outcome outcome(const std::string& id) const {
    const std::string bytes = packed_outcome(id);
    try {
      return base::unpack_outcome(bytes);
    } catch (const base::NotPacked& problem) {
      throw base::FileError(path_, fmt::format("the record of cell {} is damaged: {}", id, problem.what()),
                            "run the same command again: that cell is done again");
    }
  }

  std::vector<JournalMachine> machines(const std::vector<std::string>& ids) const {
    const std::lock_guard lock(mutex_);
    std::map<std::pair<std::string, std::string>, JournalMachine> found;
    for (const std::string& id : ids) {
      const auto number = numbers_.find(id);
      if (number == numbers_.end()) continue;
      if (where_->bind(1, number->second).step()) {
        const std::int64_t finished = where_->integer(2);
        JournalMachine& machine = found[{where_->text(0), where_->text(1)}];
        if (machine.cells++ == 0) machine = {where_->text(0), where_->text(1), 1, finished, finished};
        machine.first = std::min(machine.first, finished);
        machine.last = std::max(machine.last, finished);
      }
      where_->reset();
    }
    std::vector<JournalMachine> all;
    for (auto& [name, machine] : found) all.push_back(std::move(machine));
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return all;
  }

  const JournalContent& content() const { return content_; }

 private:
  // With the mutex held, like all that follow.
  void insert(const JournalRow& row, double seconds) {
    if (waiting_.empty()) {
      connection_->execute("BEGIN IMMEDIATE");
      since_ = Clock::now();
    }
    if (const auto earlier = numbers_.find(row.id); earlier != numbers_.end()) {
      remove_->bind(1, earlier->second).step();
      remove_->reset();
    }
    bind_row(*insert_, row, seconds, here_);
    insert_->step();
    insert_->reset();
    numbers_[row.id] = sqlite3_last_insert_rowid(connection_->get());
  }

  // A reader that stays longer than the busy time-out puts a commit off, and nothing is lost, unless it is the last time.
  void commit_waiting(bool is_last_time) {
    if (waiting_.empty()) return;
    try {
      count_in();
      connection_->execute("COMMIT");
    } catch (const sqlite::Problem& problem) {
      since_ = Clock::now();
      if (problem.code == SQLITE_BUSY && !is_last_time) return;
      give_up();
      throw;
    }
    const std::vector<std::size_t> done = std::move(waiting_);
    waiting_.clear();
    if (committed_) committed_(done);
  }

  // Somebody who looks at the journal for longer than a moment, in an open transaction of their own, is waited for.
  void begin_patiently() {
    for (int attempt = 1;; ++attempt) try {
        return connection_->execute("BEGIN IMMEDIATE");
      } catch (const sqlite::Problem& problem) {
        if (problem.code != SQLITE_BUSY || attempt == patience) throw;
      }
  }

  void count_in() {
    using base::Status;
    int place = 0;
    for (const Status status : {Status::ok, Status::failed, Status::crashed, Status::timeout})
      count_->bind(++place, counts_[static_cast<std::size_t>(status)]);
    count_->step();
    count_->reset();
    counts_ = {};
  }

  // What was not committed is lost, and nobody was told that it was done.
  void give_up() {
    problem_ = std::current_exception();
    waiting_.clear();
    if (sqlite3_get_autocommit(connection_->get()) == 0)
      sqlite3_exec(connection_->get(), "ROLLBACK", nullptr, nullptr, nullptr);
  }

  void commit_in_time() {
    std::unique_lock lock(mutex_);
    while (!ending_) {
      if (waiting_.empty())
        changed_.wait(lock);
      else if (changed_.wait_until(lock, since_ + longest_wait) == std::cv_status::timeout)
        try {
          commit_waiting(false);
        } catch (...) {
          problem_ = std::current_exception();  // for the next who adds
        }
    }
  }

  void rethrow() {
    if (problem_) std::rethrow_exception(problem_);
  }

  std::string packed_outcome(const std::string& id) const {
    const std::lock_guard lock(mutex_);
    const auto number = numbers_.find(id);
    if (number == numbers_.end()) throw base::Error(fmt::format("the journal {} has no cell {}", path_, id));
    select_->bind(1, number->second);
    const bool found = select_->step();
    std::string bytes(found ? select_->bytes(0) : std::string_view());
    select_->reset();
    return bytes;
  }

  std::string path_;
  FileLock lock_;
  const JournalMachine here_{host_name(), processor_name(), 0, 0, 0};
  Committed committed_;
  JournalContent content_;
  std::unordered_map<std::string, std::int64_t> numbers_;  // of the rows, by identity of the cell
  std::unique_ptr<sqlite::Connection> connection_;
  mutable std::optional<sqlite::Statement> insert_, remove_, select_, count_, where_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::size_t> waiting_;      // added, not yet committed
  std::array<std::int64_t, 5> counts_{};  // of these, by status, and not yet in `run`
  Clock::time_point since_;
  std::exception_ptr problem_;
  bool ending_ = false;
  std::thread committer_;
};

Journal::Journal(const fs::path& path, Start start) : database_(std::make_unique<Database>(path, start)) {}
Journal::~Journal() = default;
JournalContent Journal::read(const fs::path& path) {
  try {
    const auto connection = open_to_read(path);
    return connection ? content_of(*connection) : JournalContent{};
  } catch (const sqlite::Problem& problem) {
    if (!is_corrupt(problem, path)) throw;
    throw JournalCorrupt(
        path.string(), "is corrupt",
        "a run keeps it aside as " + with_suffix(path, ".corrupt").string() + " and does its cells again");
  }
}
fs::path Journal::beside(const fs::path& output) {
  fs::path file = output;
  std::error_code none;
  for (int link = 0; link < most_links && fs::is_symlink(file, none); ++link)
    file = file.parent_path() / fs::read_symlink(file, none);  // which is itself where it is absolute
  return with_suffix(file, ".journal");
}
const std::unordered_map<std::string, JournalKnown>& Journal::known() const { return database_->content().known; }
const std::vector<std::string>& Journal::notices() const { return database_->content().notices; }
void Journal::begin(const JournalRun& run) { database_->begin(run); }
void Journal::report_to(Committed committed) { database_->report_to(std::move(committed)); }
void Journal::add(std::size_t index, const base::Cell& cell, const base::Outcome& outcome, const Origin& origin) {
  database_->add(index, cell, outcome, origin);
}
void Journal::commit() { database_->commit(); }
base::Outcome Journal::outcome(const std::string& cell_id) const { return database_->outcome(cell_id); }
std::vector<JournalMachine> Journal::machines(const std::vector<std::string>& cell_ids) const {
  return database_->machines(cell_ids);
}

}  // namespace poslab::run
