// SPDX-License-Identifier: Apache-2.0
#include "run_table.hpp"

#include <chrono>

#include "poslab/data/outcome.hpp"

namespace poslab::journal {

// The text is compared with that of a journal, byte for byte.
const char* const create_run = R"(CREATE TABLE run(
    title TEXT, study_hash TEXT, study_path TEXT, resolved_study TEXT, shard TEXT, poslab TEXT, planned INTEGER,
    skipped INTEGER, ok INTEGER, failed INTEGER, crashed INTEGER, timeout INTEGER, began INTEGER, began_by TEXT))";

const char* const create_shard = "CREATE TABLE shard(record BLOB)";

const char* const count_cells = R"(
  UPDATE run SET ok = ok + :ok, failed = failed + :failed, crashed = crashed + :crashed, timeout = timeout + :timeout)";

namespace {

constexpr const char* insert_run = R"(
  INSERT INTO run(title, study_hash, study_path, resolved_study, shard, poslab, planned, skipped, ok, failed, crashed,
                  timeout, began, began_by)
  VALUES(:title, :study_hash, :study_path, :resolved_study, :shard, :poslab, :planned, :skipped, :ok, 0, 0,
         0, :began, :began_by))";

}  // namespace

void write_run(const sqlite::Connection& connection, const JournalRun& run, const std::string& writer) {
  connection.execute("DELETE FROM run");
  sqlite::Statement insert(connection, insert_run);
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  insert.bind(":title", run.title).bind(":study_hash", run.study_hash).bind(":study_path", run.study_path);
  insert.bind(":resolved_study", run.resolved_study).bind(":shard", run.shard).bind(":poslab", run.build.poslab);
  insert.bind(":planned", static_cast<std::int64_t>(run.planned));
  insert.bind(":skipped", static_cast<std::int64_t>(run.skipped));
  insert.bind(":ok", static_cast<std::int64_t>(run.kept));
  insert.bind(":began", std::int64_t{now}).bind(":began_by", writer).step();
  connection.execute("DELETE FROM shard");
  if (!run.shard_record.empty())
    sqlite::Statement(connection, "INSERT INTO shard(record) VALUES(:record)")
        .bind_bytes(":record", run.shard_record)
        .step();
}

void bind_counts(sqlite::Statement& count, const StatusCounts& counts) {
  const auto of = [&](data::Status status) { return counts[static_cast<std::size_t>(status)]; };
  count.bind(":ok", of(data::Status::ok)).bind(":failed", of(data::Status::failed));
  count.bind(":crashed", of(data::Status::crashed)).bind(":timeout", of(data::Status::timeout));
}

bool read_run(const sqlite::Connection& connection, JournalStatus& status) {
  sqlite::Statement run(connection, R"(SELECT title, study_hash, study_path, resolved_study, shard, poslab, began_by,
                                              began, planned, skipped, ok, failed, crashed, timeout FROM run)");
  if (!run.step()) return false;
  const auto text = [&](const char* name) { return run.text(run.column(name)); };
  const auto integer = [&](const char* name) { return run.integer(run.column(name)); };
  status.begun = true;
  status.title = text("title"), status.study_hash = text("study_hash"), status.study_path = text("study_path");
  status.resolved_study = text("resolved_study"), status.shard = text("shard"), status.poslab = text("poslab"),
  status.began_by = text("began_by");
  status.began = integer("began"), status.planned = integer("planned"), status.skipped = integer("skipped");
  status.ok = integer("ok"), status.failed = integer("failed"), status.crashed = integer("crashed");
  status.timeout = integer("timeout");
  return true;
}

std::string read_shard(const sqlite::Connection& connection) {
  sqlite::Statement table(connection, "SELECT 1 FROM sqlite_master WHERE name = 'shard'");
  if (!table.step()) return "";  // of an earlier poslab
  sqlite::Statement shard(connection, "SELECT record FROM shard");
  return shard.step() ? std::string(shard.bytes(0)) : "";
}

}  // namespace poslab::journal
