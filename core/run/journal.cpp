// SPDX-License-Identifier: Apache-2.0
// The database: `cells`, a row a finished cell, its outcome as base::pack writes it. Rollback journal, not WAL: that needs
// memory shared between readers and writer, which network disks do not offer. A reader holds the writer up for the moment
// of its query only; the busy time-out covers it.
#include "poslab/run/journal.hpp"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "file_lock.hpp"
#include "poslab/base/pack.hpp"
#include "sqlite.hpp"

namespace poslab::run {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t application = 0x50534C4A, format = 1;  // "PSLJ"
constexpr std::chrono::milliseconds longest_wait{300};        // of a finished cell for its commit

constexpr const char* tables = R"(
  CREATE TABLE IF NOT EXISTS cells(
    id TEXT PRIMARY KEY, experiment TEXT NOT NULL, variant TEXT NOT NULL, repeat INTEGER NOT NULL, status TEXT NOT NULL,
    message TEXT NOT NULL, seconds REAL NOT NULL, plugin_hash TEXT NOT NULL, outcome BLOB NOT NULL) WITHOUT ROWID;)";

fs::path with_suffix(const fs::path& path, const std::string& suffix) { return path.string() + suffix; }

std::int64_t pragma(const sqlite::Connection& connection, const char* text) {
  sqlite::Statement statement(connection, text);
  return statement.step() ? statement.integer(0) : 0;
}

// Whether there is nothing in it yet. Throws JournalForeign for what is not ours or is newer than this program.
bool require_ours(const sqlite::Connection& connection, const fs::path& path) {
  if (pragma(connection, "SELECT count(*) FROM sqlite_master") == 0) return true;
  if (pragma(connection, "PRAGMA application_id") != application)
    throw JournalForeign(fmt::format(
        "{} is a database, but no journal of poslab; move it away or choose another output", path.string()));
  const std::int64_t version = pragma(connection, "PRAGMA user_version");
  if (version == format) return false;
  throw JournalForeign(
      fmt::format("{} has journal format {}, this program reads {}; finish that run with the poslab that began it, or "
                  "start over with "
                  "--fresh",
                  path.string(), version, format));
}

void prepare(const sqlite::Connection& connection, const fs::path& path) {
  const bool empty = require_ours(connection, path);
  connection.execute("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;");
  if (!empty) return;
  connection.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", application, format).c_str());
  connection.execute(tables);
}

// The database at `path`, ready; one that SQLite calls corrupt is put aside first.
std::unique_ptr<sqlite::Connection> opened(const fs::path& path, std::vector<std::string>& notices) {
  try {
    auto connection = std::make_unique<sqlite::Connection>(path);
    prepare(*connection, path);
    sqlite::Statement check(*connection, "PRAGMA quick_check(1)");
    if (check.step() && check.text(0) == "ok") return connection;
  } catch (const sqlite::Problem& problem) {
    if (!problem.is_corrupt()) throw;
  }
  fs::path aside = with_suffix(path, ".corrupt");
  for (int number = 2; fs::exists(aside); ++number) aside = with_suffix(path, fmt::format(".corrupt-{}", number));
  fs::rename(path, aside);
  fs::remove(with_suffix(path, "-journal"));
  notices.push_back(fmt::format("the journal {} was corrupt: it is kept as {}, and its cells run again", path.string(),
                                aside.string()));
  auto connection = std::make_unique<sqlite::Connection>(path);
  prepare(*connection, path);
  return connection;
}

base::Status status_of(const std::string& text) {
  for (const auto status : {base::Status::failed, base::Status::crashed, base::Status::timeout, base::Status::skipped})
    if (text == base::to_text(status)) return status;
  return base::Status::ok;
}

}  // namespace

JournalHeld::JournalHeld(const std::string& journal, const std::string& holder)
    : base::Error(fmt::format("{} is being written by {}: wait for that run to end, or choose another output with -o",
                              journal, holder)) {}

class Journal::Database {
 public:
  explicit Database(const fs::path& path) : lock_(with_suffix(path, "-lock")) {
    if (!lock_.held()) throw JournalHeld(path.string(), lock_.holder());
    connection_ = opened(path, notices_);
    insert_.emplace(*connection_, "INSERT OR REPLACE INTO cells VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
    select_.emplace(*connection_, "SELECT outcome FROM cells WHERE id = ?1");
    read_known();
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

  void add(std::size_t index, const base::Cell& cell, const base::Outcome& outcome, const std::string& plugin_hash) {
    const std::string bytes = base::pack(outcome);
    {
      const std::lock_guard lock(mutex_);
      rethrow();
      if (waiting_.empty()) {
        connection_->execute("BEGIN IMMEDIATE");
        since_ = std::chrono::steady_clock::now();
      }
      waiting_.push_back(index);
      insert_->bind(1, cell.id).bind(2, cell.experiment).bind(3, cell.variant.label);
      insert_->bind(4, std::int64_t{cell.repeat}).bind(5, std::string_view(base::to_text(outcome.status)));
      insert_->bind(6, outcome.message).bind(7, outcome.seconds).bind(8, plugin_hash).bind_bytes(9, bytes);
      insert_->step();
      insert_->reset();
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
    commit_waiting();
  }

  base::Outcome outcome(const std::string& id) const {
    const std::lock_guard lock(mutex_);
    select_->bind(1, id);
    const bool found = select_->step();
    const std::string bytes(found ? select_->bytes(0) : std::string_view());
    select_->reset();
    if (!found) throw base::Error(fmt::format("the journal has no cell {}", id));
    return base::unpack_outcome(bytes);
  }

  const std::unordered_map<std::string, Known>& known() const { return known_; }
  const std::vector<std::string>& notices() const { return notices_; }

 private:
  // Rows whose checksum is wrong are deleted: their cells run again.
  void read_known() {
    std::vector<std::string> broken;
    sqlite::Statement all(*connection_, "SELECT id, status, plugin_hash, outcome FROM cells");
    while (all.step()) {
      try {
        base::unpack_outcome(all.bytes(3));
        known_[all.text(0)] = {status_of(all.text(1)), all.text(2)};
      } catch (const base::NotPacked&) {
        broken.push_back(all.text(0));
      }
    }
    for (const std::string& id : broken) {
      sqlite::Statement remove(*connection_, "DELETE FROM cells WHERE id = ?1");
      remove.bind(1, id).step();
    }
    if (!broken.empty())
      notices_.push_back(fmt::format("{} of the journal's {} cells had a wrong checksum and run again", broken.size(),
                                     broken.size() + known_.size()));
  }

  // With the mutex held.
  void commit_waiting() {
    if (waiting_.empty()) return;
    try {
      connection_->execute("COMMIT");
    } catch (...) {
      sqlite3_exec(connection_->get(), "ROLLBACK", nullptr, nullptr, nullptr);
      waiting_.clear();
      throw;
    }
    const std::vector<std::size_t> done = std::move(waiting_);
    waiting_.clear();
    if (committed_) committed_(done);
  }

  void commit_in_time() {
    std::unique_lock lock(mutex_);
    while (!ending_) {
      if (waiting_.empty())
        changed_.wait(lock);
      else if (changed_.wait_until(lock, since_ + longest_wait) == std::cv_status::timeout)
        try {
          commit_waiting();
        } catch (...) {
          problem_ = std::current_exception();  // for the next who adds
        }
    }
  }

  void rethrow() {
    if (problem_) std::rethrow_exception(problem_);
  }

  FileLock lock_;
  Committed committed_;
  std::vector<std::string> notices_;
  std::unique_ptr<sqlite::Connection> connection_;
  std::optional<sqlite::Statement> insert_;
  mutable std::optional<sqlite::Statement> select_;
  std::unordered_map<std::string, Known> known_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::size_t> waiting_;  // added, not yet committed
  std::chrono::steady_clock::time_point since_;
  std::exception_ptr problem_;
  bool ending_ = false;
  std::thread committer_;
};

Journal::Journal(const fs::path& path) : database_(std::make_unique<Database>(path)) {}
void Journal::report_to(Committed committed) { database_->report_to(std::move(committed)); }
Journal::~Journal() = default;
std::unordered_map<std::string, JournalKnown> Journal::read(const fs::path& path) {
  std::unordered_map<std::string, JournalKnown> known;
  if (!fs::exists(path)) return known;
  const sqlite::Connection connection(path, true);
  require_ours(connection, path);
  sqlite::Statement all(connection, "SELECT id, status, plugin_hash FROM cells");
  while (all.step()) known[all.text(0)] = {status_of(all.text(1)), all.text(2)};
  return known;
}
fs::path Journal::beside(const fs::path& output) { return with_suffix(output, ".journal"); }
const std::unordered_map<std::string, Journal::Known>& Journal::known() const { return database_->known(); }
const std::vector<std::string>& Journal::notices() const { return database_->notices(); }
void Journal::add(std::size_t index, const base::Cell& cell, const base::Outcome& outcome,
                  const std::string& plugin_hash) {
  database_->add(index, cell, outcome, plugin_hash);
}
void Journal::commit() { database_->commit(); }
base::Outcome Journal::outcome(const std::string& cell_id) const { return database_->outcome(cell_id); }

}  // namespace poslab::run
