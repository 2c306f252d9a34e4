// SPDX-License-Identifier: Apache-2.0
// Some short queries, whatever the journal's size: the writer counts as it commits.
#include "poslab/journal/journal_status.hpp"

#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>

#include "file_lock.hpp"
#include "journal_file.hpp"
#include "poslab/base/error.hpp"
#include "poslab/base/regular_file.hpp"
#include "run_table.hpp"

namespace poslab::journal {
namespace {

constexpr std::int64_t window = 300;      // seconds to look back
constexpr std::int64_t fewest_cells = 5;  // from which a rate can be estimated

constexpr const char* newest_rows = R"(
  SELECT count(*), min(finished) FROM (SELECT finished FROM cells ORDER BY number DESC LIMIT 2000)
  WHERE finished >= :since)";

double rate_of(const sqlite::Connection& connection, std::int64_t began) {
  const std::int64_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  const std::int64_t since = std::max(began, now - window);
  sqlite::Statement newest(connection, newest_rows);
  newest.bind(":since", since);
  if (!newest.step()) return 0;
  const std::int64_t cells = newest.integer(0);
  const std::int64_t seconds = now - (cells == 2000 ? newest.integer(1) : since);
  return cells < fewest_cells || seconds < 1 ? 0 : static_cast<double>(cells) / static_cast<double>(seconds);
}

}  // namespace

JournalStatus status_of_journal(const std::filesystem::path& path) {
  JournalStatus status;
  const auto connection = open_to_read(path);
  if (!connection && !base::is_there(path))
    throw base::FileError(path.string(), "there is no such journal", "no run that writes there has begun");
  status.writer = holder_of_lock(with_suffix(path, "-lock"));
  if (!connection) return status;
  if (!read_run(*connection, status)) return status;
  for (auto& [cell, checkpoint] : checkpoints_of(path)) status.checkpoints.push_back(std::move(checkpoint));
  std::sort(status.checkpoints.begin(), status.checkpoints.end(), [](const auto& a, const auto& b) {
    return std::tie(a.kept, a.experiment, a.variant) < std::tie(b.kept, b.experiment, b.variant);
  });
  if (!status.writer.empty()) status.rate = rate_of(*connection, status.began);
  return status;
}

}  // namespace poslab::journal
