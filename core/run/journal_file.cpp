// SPDX-License-Identifier: Apache-2.0
// Rollback journal, not WAL: that needs memory shared between readers and writer, which network disks do not offer.
// synchronous = EXTRA: the directory is synced, too, after the side file is removed, and only then is a commit a commit.
// A reader holds the writer up for the moment of its query only; the busy time-out covers it.
#include "journal_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "poslab/base/hash.hpp"
#include "poslab/base/pack.hpp"

namespace poslab::run {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t application = 0x50534C4A, format = 3;  // "PSLJ"; raised when rows or packed records change

// `outcome` comes last: to read the others, SQLite need not walk over it. No index on `id`: whoever writes has all
// numbers in memory, and what is not there cannot be damaged.
constexpr const char* run_table = R"(CREATE TABLE run(
    title TEXT, study_hash TEXT, study_path TEXT, resolved_study TEXT, shard TEXT, poslab TEXT, planned INTEGER,
    skipped INTEGER, ok INTEGER, failed INTEGER, crashed INTEGER, timeout INTEGER, began INTEGER, began_by TEXT))";
constexpr const char* cells_table = R"(CREATE TABLE cells(
    number INTEGER PRIMARY KEY, id TEXT, experiment TEXT, scheme TEXT, variant TEXT, axes TEXT, repeat INTEGER,
    seed INTEGER, status TEXT, message TEXT, seconds REAL, finished INTEGER, plugin_hash TEXT, experiment_version TEXT,
    scheme_version TEXT, question TEXT, host TEXT, processor TEXT, checksum TEXT, outcome BLOB))";

constexpr const char* all_rows = R"(
  SELECT number, id, experiment, scheme, variant, axes, repeat, seed, status, message, plugin_hash, experiment_version,
         scheme_version, question, checksum, outcome FROM cells ORDER BY number)";

std::int64_t pragma(const sqlite::Connection& connection, const char* text) {
  sqlite::Statement statement(connection, text);
  return statement.step() ? statement.integer(0) : 0;
}

bool is_empty(const sqlite::Connection& connection) {
  return pragma(connection, "SELECT count(*) FROM sqlite_master") == 0;
}

void require_nobody_elses(const sqlite::Connection& connection, const fs::path& path) {
  if (is_empty(connection) || pragma(connection, "PRAGMA application_id") == application) return;
  throw JournalForeign(
      fmt::format("{} is a database, but no journal of poslab; move it away or choose another output", path.string()));
}

// Whether there is nothing in it yet. Throws JournalForeign for what this program did not write.
bool require_ours(const sqlite::Connection& connection, const fs::path& path) {
  if (is_empty(connection)) return true;
  require_nobody_elses(connection, path);
  const std::int64_t version = pragma(connection, "PRAGMA user_version");
  if (version == format) return false;
  throw JournalForeign(fmt::format(
      "{} has journal format {}, this program reads {}; finish that run with the poslab that began it, or start over "
      "with --fresh",
      path.string(), version, format));
}

// Of everything in a row that something is concluded from; the outcome has a checksum of its own, which stands for it.
std::string checksum_of(const JournalRow& row) {
  return base::sha256(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", row.id, row.experiment,
                                  row.scheme, row.variant, row.axes, row.repeat, row.seed, row.status, row.message,
                                  row.origin.plugin_hash, row.origin.experiment_version, row.origin.scheme_version,
                                  row.question, std::string_view(row.outcome).substr(0, 16)))
      .substr(0, 16);
}

bool is_intact(const JournalRow& row, const std::string& checksum) {
  if (checksum != checksum_of(row)) return false;
  try {
    return base::to_text(base::unpack_outcome(row.outcome).status) == row.status;
  } catch (const base::NotPacked&) {
    return false;
  }
}

base::Status status_of(const std::string& text) {
  for (const auto status : {base::Status::failed, base::Status::crashed, base::Status::timeout, base::Status::skipped})
    if (text == base::to_text(status)) return status;
  return base::Status::ok;
}

// SQLite would wait for a pipe.
void require_ordinary(const fs::path& path) {
  for (const char* suffix : {"", "-journal"})
    if (const fs::path file = with_suffix(path, suffix); fs::exists(file) && !fs::is_regular_file(file))
      throw base::FileError(file.string(), "is no ordinary file, but a journal would be",
                            "remove it, or choose another output with -o");
}

// A flipped bit in a column's name or type would be believed, and so would what a trigger or a view makes of our rows.
void require_our_tables(const sqlite::Connection& connection, const fs::path& path) {
  sqlite::Statement both(connection, "SELECT count(*) FROM sqlite_master WHERE sql IN (?1, ?2)");
  both.bind(1, std::string_view(run_table)).bind(2, std::string_view(cells_table)).step();
  if (both.integer(0) != 2)
    throw sqlite::Problem(path.string(), SQLITE_CORRUPT, "its tables are not as they were made");
  sqlite::Statement other(connection, "SELECT type, name FROM sqlite_master WHERE sql NOT IN (?1, ?2) OR sql IS NULL");
  if (other.bind(1, std::string_view(run_table)).bind(2, std::string_view(cells_table)).step())
    throw JournalForeign(
        fmt::format("{} has a {} \"{}\" that poslab did not make; drop it with sqlite3, or move the journal away",
                    path.string(), other.text(0), other.text(1)));
}

OpenJournal open_sound(const fs::path& path) {
  require_ordinary(path);
  OpenJournal journal{std::make_unique<sqlite::Connection>(path, sqlite::Connection::Mode::write), {}};
  const sqlite::Connection& connection = *journal.connection;
  const bool empty = require_ours(connection, path);
  if (sqlite3_db_readonly(connection.get(), "main") == 1)
    throw sqlite::Problem(path.string(), SQLITE_READONLY, "cannot be written");
  connection.execute("PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA;");
  if (empty) {
    connection.execute(
        fmt::format("BEGIN IMMEDIATE; PRAGMA application_id = {}; PRAGMA user_version = {}; {}; {}; COMMIT;",
                    application, format, run_table, cells_table)
            .c_str());
    return journal;
  }
  require_our_tables(connection, path);
  sqlite::Statement check(connection, "PRAGMA quick_check(1)");
  if (!check.step() || check.text(0) != "ok") throw sqlite::Problem(path.string(), SQLITE_CORRUPT, check.text(0));
  journal.content = content_of(connection);
  return journal;
}

void drop_damaged(OpenJournal& journal) {
  const std::size_t all = journal.content.known.size();
  const auto is_damaged = [](const auto& entry) { return entry.second.damaged; };
  if (std::none_of(journal.content.known.begin(), journal.content.known.end(), is_damaged)) return;
  sqlite::Statement remove(*journal.connection, "DELETE FROM cells WHERE number = ?1");
  journal.connection->execute("BEGIN IMMEDIATE");
  const std::size_t damaged = std::erase_if(journal.content.known, [&](const auto& entry) {
    if (!is_damaged(entry)) return false;
    remove.bind(1, entry.second.number).step();
    remove.reset();
    return true;
  });
  journal.connection->execute("COMMIT");
  journal.content.notices.push_back(
      fmt::format("{} of the journal's {} cells had a wrong checksum and run again", damaged, all));
}

// First the database, then its side file: SQLite never applies a side file to a database that is not there.
fs::path put_aside(const fs::path& path) {
  fs::path aside = with_suffix(path, ".corrupt");
  for (int number = 2; fs::exists(aside); ++number) aside = with_suffix(path, fmt::format(".corrupt-{}", number));
  fs::rename(path, aside);
  std::error_code none_there;
  fs::rename(with_suffix(path, "-journal"), with_suffix(aside, "-journal"), none_there);
  return aside;
}

}  // namespace

const char* const insert_row = R"(
  INSERT INTO cells(id, experiment, scheme, variant, axes, repeat, seed, status, message, seconds, finished, plugin_hash,
                    experiment_version, scheme_version, question, host, processor, checksum, outcome)
  VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19))";

void bind_row(sqlite::Statement& insert, const JournalRow& row, double seconds, const JournalMachine& machine) {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  insert.bind(1, row.id).bind(2, row.experiment).bind(3, row.scheme).bind(4, row.variant).bind(5, row.axes);
  insert.bind(6, row.repeat).bind(7, row.seed).bind(8, row.status).bind(9, row.message).bind(10, seconds);
  insert.bind(11, std::int64_t{now}).bind(12, row.origin.plugin_hash).bind(13, row.origin.experiment_version);
  insert.bind(14, row.origin.scheme_version).bind(15, row.question).bind(16, machine.host);
  insert.bind(17, machine.processor).bind(18, checksum_of(row)).bind_bytes(19, row.outcome);
}

std::string question_of(const base::Cell& cell) {
  base::Cell asked = cell;
  asked.seed = 0;
  return base::identity(asked, "", "");
}

JournalRow row_of(const base::Cell& cell, const base::Outcome& outcome, const Origin& origin) {
  base::Values outer;
  for (const auto& [name, value] : cell.axes)
    if (!std::holds_alternative<std::vector<double>>(value)) outer.set(name, value);
  return {cell.id,
          cell.experiment,
          cell.variant.scheme,
          cell.variant.label,
          outer.to_json(),
          std::int64_t{cell.repeat},
          static_cast<std::int64_t>(cell.seed),
          base::to_text(outcome.status),
          outcome.message,
          origin,
          question_of(cell),
          base::pack(outcome)};
}

JournalContent content_of(const sqlite::Connection& connection) {
  JournalContent content;
  sqlite::Statement all(connection, all_rows);
  while (all.step()) {
    JournalRow row{all.text(1),    all.text(2),
                   all.text(3),    all.text(4),
                   all.text(5),    all.integer(6),
                   all.integer(7), all.text(8),
                   all.text(9),    {all.text(10), all.text(11), all.text(12)},
                   all.text(13),   std::string(all.bytes(15))};
    const bool damaged = !is_intact(row, all.text(14));
    content.known[damaged && content.known.count(row.id) > 0 ? fmt::format("row {}", all.integer(0)) : row.id] = {
        all.integer(0), status_of(row.status), row.origin, row.question, static_cast<std::uint64_t>(row.seed), damaged};
  }
  return content;
}

// A flipped bit in the header can make a file "readonly" that is not, or of a format that SQLite has never heard of.
bool is_corrupt(const sqlite::Problem& problem, const fs::path& path) {
  return problem.is_corrupt() || problem.code == SQLITE_ERROR ||
         (problem.code == SQLITE_READONLY && access(path.c_str(), W_OK) == 0 &&
          access(fs::absolute(path).parent_path().c_str(), W_OK) == 0);
}

OpenJournal open_to_write(const fs::path& path) {
  const bool was_there = fs::exists(path);
  OpenJournal journal;
  try {
    journal = open_sound(path);
  } catch (const sqlite::Problem& problem) {
    if (!is_corrupt(problem, path)) throw;
    const fs::path aside = put_aside(path);
    journal = open_sound(path);
    journal.content.notices.push_back(fmt::format(
        "the journal {} was corrupt: it is kept as {}, and its cells run again", path.string(), aside.string()));
  }
  drop_damaged(journal);
  if (was_there && journal.content.known.empty() && journal.content.notices.empty())
    journal.content.notices.push_back(fmt::format("the journal {} was empty", path.string()));
  return journal;
}

std::unique_ptr<sqlite::Connection> open_to_read(const fs::path& path) {
  if (!fs::exists(path)) return nullptr;
  require_ordinary(path);
  auto connection = std::make_unique<sqlite::Connection>(path, sqlite::Connection::Mode::read);
  if (require_ours(*connection, path)) return nullptr;
  require_our_tables(*connection, path);
  return connection;
}

void remove_journal(const fs::path& path) {
  if (fs::exists(path)) {
    try {
      require_nobody_elses(sqlite::Connection(path, sqlite::Connection::Mode::read), path);
    } catch (const sqlite::Problem& problem) {
      if (problem.code == SQLITE_NOTADB) return;  // who knows what it is: whoever opens it puts it aside
    }
  }
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) fs::remove(with_suffix(path, suffix));
}

fs::path with_suffix(const fs::path& path, const std::string& suffix) { return path.string() + suffix; }

}  // namespace poslab::run
