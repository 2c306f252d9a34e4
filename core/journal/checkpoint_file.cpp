// SPDX-License-Identifier: Apache-2.0
#include "checkpoint_file.hpp"

#include <fmt/format.h>

#include <chrono>

#include "journal_file.hpp"
#include "journal_format.hpp"
#include "poslab/base/hash.hpp"
#include "poslab/base/machine.hpp"
#include "poslab/journal/journal.hpp"
#include "poslab/journal/resume_plan.hpp"

namespace poslab::journal {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t checkpoint_application = 0x50534C43, checkpoint_format = 1;  // "PSLC"

// `bytes` comes last: to read the others, SQLite need not walk over it.
constexpr const char* create_checkpoints = R"(CREATE TABLE checkpoints(
    number INTEGER PRIMARY KEY, cell TEXT, experiment TEXT, variant TEXT, maker TEXT, done INTEGER, total INTEGER,
    tokens INTEGER, sentence TEXT, kept INTEGER, checksum TEXT, bytes BLOB))";

constexpr const char* insert_checkpoint = R"(
  INSERT INTO checkpoints(cell, experiment, variant, maker, done, total, tokens, sentence, kept, checksum, bytes)
  VALUES(:cell, :experiment, :variant, :maker, :done, :total, :tokens, :sentence, :kept, :checksum, :bytes))";

base::Error foreign(const fs::path& path) {
  return foreign_journal(path, "is a database, but none of poslab's checkpoints",
                         "move it away or choose another output");
}

void require_ours(const sqlite::Connection& connection, const fs::path& path) {
  if (pragma(connection, "PRAGMA application_id") != checkpoint_application) throw foreign(path);
  const std::int64_t version = pragma(connection, "PRAGMA user_version");
  if (version != checkpoint_format)
    throw foreign_journal(path, fmt::format("has format {}, this program reads {}", version, checkpoint_format),
                          "finish that run with the poslab that began it, or delete it: its cells begin anew");
  sqlite::Statement as_created(connection, "SELECT count(*) FROM sqlite_master WHERE sql = :sql");
  if (!as_created.bind(":sql", std::string_view(create_checkpoints)).step() || as_created.integer(0) != 1)
    throw sqlite::Problem(path.string(), SQLITE_CORRUPT, "its table is not as it was created");
}

// Covers all that a cell resumes from.
std::string checksum_of(const std::string& cell, const std::string& maker, const data::Progress& progress,
                        std::string_view bytes) {
  return base::sha256(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", cell, maker, progress.done, progress.total,
                                  progress.tokens, progress.sentence, base::sha256(bytes)));
}

data::Progress progress_in(const sqlite::Statement& row) {
  const auto number = [&](const char* name) { return static_cast<std::uint64_t>(row.integer(row.column(name))); };
  return {number("done"), number("total"), number("tokens"), row.text(row.column("sentence"))};
}

std::unordered_map<std::string, KnownCheckpoint> known_in(const sqlite::Connection& connection) {
  std::unordered_map<std::string, KnownCheckpoint> known;
  sqlite::Statement row(connection, R"(SELECT cell, experiment, variant, maker, done, total, tokens, sentence, kept
                                       FROM checkpoints ORDER BY number)");
  const auto text = [&](const char* name) { return row.text(row.column(name)); };
  while (row.step())
    known[text("cell")] = {text("experiment"), text("variant"), text("maker"), progress_in(row),
                           row.integer(row.column("kept"))};
  return known;
}

}  // namespace

fs::path checkpoint_path(const fs::path& journal) { return with_suffix(journal, "-checkpoints"); }

CheckpointFile::CheckpointFile(const fs::path& path) : connection_(path, sqlite::Connection::Mode::write) {
  const bool begins = is_empty(connection_);
  if (!begins) require_ours(connection_, path);
  connection_.execute("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;");
  if (begins)
    connection_.execute(
        fmt::format("BEGIN IMMEDIATE; PRAGMA application_id = {}; PRAGMA user_version = {}; {}; COMMIT;",
                    checkpoint_application, checkpoint_format, create_checkpoints)
            .c_str());
}

// The new one goes where nothing is kept, and is written once; the old one's pages are then free for the next.
void CheckpointFile::put(const CheckpointRow& row) {
  const data::Progress& progress = row.checkpoint->progress;
  const auto number = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  sqlite::Statement insert(connection_, insert_checkpoint);
  insert.bind(":cell", row.cell).bind(":experiment", row.experiment).bind(":variant", row.variant);
  insert.bind(":maker", row.maker).bind(":sentence", progress.sentence);
  insert.bind(":done", number(progress.done)).bind(":total", number(progress.total));
  insert.bind(":tokens", number(progress.tokens));
  insert.bind(":kept", std::int64_t{std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())});
  insert.bind(":checksum", checksum_of(row.cell, row.maker, progress, row.checkpoint->bytes));
  insert.bind_bytes(":bytes", row.checkpoint->bytes);
  sqlite::Statement remove_others(connection_, "DELETE FROM checkpoints WHERE cell = :cell AND number < :number");
  connection_.execute("BEGIN IMMEDIATE");
  try {
    insert.step();
    insert.reset();
    remove_others.bind(":cell", row.cell)
        .bind(":number", std::int64_t{sqlite3_last_insert_rowid(connection_.get())})
        .step();
    remove_others.reset();
    connection_.execute("COMMIT");
  } catch (...) {
    sqlite3_exec(connection_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
}

void CheckpointFile::remove(const std::string& cell) {
  sqlite::Statement(connection_, "DELETE FROM checkpoints WHERE cell = :cell").bind(":cell", cell).step();
}

data::CheckpointPointer CheckpointFile::find(const std::string& cell, const std::string& maker) const {
  sqlite::Statement row(connection_, R"(SELECT done, total, tokens, sentence, checksum, bytes FROM checkpoints
                                        WHERE cell = :cell AND maker = :maker ORDER BY number DESC)");
  if (!row.bind(":cell", cell).bind(":maker", maker).step()) return nullptr;
  const data::Progress progress = progress_in(row);
  const std::string_view bytes = row.bytes(row.column("bytes"));
  if (row.text(row.column("checksum")) != checksum_of(cell, maker, progress, bytes)) return nullptr;
  return std::make_shared<const data::Checkpoint>(data::Checkpoint{progress, std::string(bytes)});
}

std::unordered_map<std::string, KnownCheckpoint> CheckpointFile::known() const { return known_in(connection_); }

void remove_checkpoints(const fs::path& journal) {
  const fs::path path = checkpoint_path(journal);
  if (!fs::exists(path)) return;
  try {
    const sqlite::Connection connection(path, sqlite::Connection::Mode::read);
    if (!is_empty(connection) && pragma(connection, "PRAGMA application_id") != checkpoint_application)
      throw foreign(path);
  } catch (const sqlite::Problem& problem) {
    if (problem.code == SQLITE_NOTADB) return;  // opening it renames it
  }
  remove_database(path);
}

std::unordered_map<std::string, KnownCheckpoint> checkpoints_of(const fs::path& journal) try {
  const fs::path path = checkpoint_path(journal);
  if (!fs::exists(path)) return {};
  const sqlite::Connection connection(path, sqlite::Connection::Mode::read);
  if (is_empty(connection)) return {};
  require_ours(connection, path);
  return known_in(connection);
} catch (const base::Error&) {
  return {};
}

std::string maker_of(const data::Cell& cell, const data::Catalogue& catalogue) {
  static const std::string here = base::sha256_of_file("/proc/self/exe") + "\n" + base::processor_name();
  const Origin origin = origin_of(cell, catalogue);
  return base::sha256(
             fmt::format("{}\n{}\n{}\n{}", origin.plugin_hash, origin.experiment_version, origin.scheme_version, here))
      .substr(0, 32);
}

}  // namespace poslab::journal
