// SPDX-License-Identifier: Apache-2.0
// Two short queries, whatever the journal's size: the writer counts as it commits.
#include "poslab/run/journal_status.hpp"

#include <algorithm>
#include <chrono>

#include "file_lock.hpp"
#include "journal_file.hpp"
#include "poslab/base/error.hpp"

namespace poslab::run {
namespace {

constexpr std::int64_t window = 300, fewest_cells = 5;  // seconds to look back, and what is too few to say anything

constexpr const char* newest_rows = R"(
  SELECT count(*), min(finished) FROM (SELECT finished FROM cells ORDER BY number DESC LIMIT 2000) WHERE finished >= ?1)";

double rate_of(const sqlite::Connection& connection, std::int64_t began) {
  const std::int64_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  const std::int64_t since = std::max(began, now - window);
  sqlite::Statement newest(connection, newest_rows);
  newest.bind(1, since);
  if (!newest.step()) return 0;
  const std::int64_t cells = newest.integer(0);
  const std::int64_t seconds = now - (cells == 2000 ? newest.integer(1) : since);
  return cells < fewest_cells || seconds < 1 ? 0 : static_cast<double>(cells) / static_cast<double>(seconds);
}

}  // namespace

JournalStatus status_of_journal(const std::filesystem::path& path) {
  JournalStatus status;
  const auto connection = open_to_read(path);
  if (!connection && !std::filesystem::exists(path))
    throw base::FileError(path.string(), "there is no such journal", "no run that writes there has begun");
  status.writer = holder_of_lock(with_suffix(path, "-lock"));
  if (!connection) return status;
  sqlite::Statement run(*connection, R"(SELECT title, study_hash, study_path, shard, poslab, began_by, began, planned,
                                               skipped, ok, failed, crashed, timeout FROM run)");
  if (!run.step()) return status;
  status.begun = true;
  status.title = run.text(0), status.study_hash = run.text(1), status.study_path = run.text(2);
  status.shard = run.text(3), status.poslab = run.text(4), status.began_by = run.text(5);
  status.began = run.integer(6), status.planned = run.integer(7), status.skipped = run.integer(8);
  status.ok = run.integer(9), status.failed = run.integer(10), status.crashed = run.integer(11);
  status.timeout = run.integer(12);
  run.reset();
  if (!status.writer.empty()) status.rate = rate_of(*connection, status.began);
  return status;
}

}  // namespace poslab::run
