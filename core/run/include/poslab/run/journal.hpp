// SPDX-License-Identifier: Apache-2.0
// What is done so far, beside the results file: one SQLite database with a row a finished cell, written by one process.
// What it says is done stays done, however the run ends.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "poslab/base/cell.hpp"
#include "poslab/base/error.hpp"

namespace poslab::run {

/// Somebody else is writing this journal: who, as far as the lock tells.
struct JournalHeld : base::Error {
  JournalHeld(const std::string& journal, const std::string& holder);
};

/// A journal that this program cannot read: of a newer format, or no journal of poslab at all.
struct JournalForeign : base::Error {
  using base::Error::Error;
};

/// Of one cell that is in a journal.
struct JournalKnown {
  base::Status status = base::Status::ok;
  std::string plugin_hash;  ///< of the library that the scheme came from then
};

class Journal {
 public:
  /// Called with the indices that `add` was given, once they are on disk. From any thread, one call at a time.
  using Committed = std::function<void(const std::vector<std::size_t>&)>;

  /// Opens `path` or makes it, and holds it until destroyed. A database that SQLite itself calls corrupt is renamed and
  /// a new one begun; rows whose checksum is wrong are dropped: `notices` says so.
  /// Throws JournalHeld, JournalForeign, base::FileError.
  explicit Journal(const std::filesystem::path& path);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();  ///< commits

  /// What a journal knows, without holding it: for a plan, and while another process writes it. Empty if there is none.
  static std::unordered_map<std::string, JournalKnown> read(const std::filesystem::path& path);

  /// `results.h5` -> `results.h5.journal`
  static std::filesystem::path beside(const std::filesystem::path& output);

  using Known = JournalKnown;
  /// What was there when it was opened, by identity of the cell.
  const std::unordered_map<std::string, Known>& known() const;
  const std::vector<std::string>& notices() const;

  /// Who is told of what is on disk from now on; null: nobody.
  void report_to(Committed committed);
  /// Keeps the outcome of a cell; it is on disk within half a second, or after `commit`. Replaces an earlier one.
  /// Throws base::FileError, as on a full disk; what was committed before stays. `index` is for `Committed`.
  void add(std::size_t index, const base::Cell& cell, const base::Outcome& outcome, const std::string& plugin_hash);
  void commit();

  /// The outcome of a cell that is known or was added. Throws base::Error if there is none.
  base::Outcome outcome(const std::string& cell_id) const;

 private:
  class Database;
  std::unique_ptr<Database> database_;
};

}  // namespace poslab::run
