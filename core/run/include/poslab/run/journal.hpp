// SPDX-License-Identifier: Apache-2.0
// What is done so far, beside the results file: one SQLite database with a row a finished cell, written by one process.
// What it says is done stays done, however the run ends.
#pragma once

#include <cstdint>
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

/// A journal that this program cannot read: of another format, or no journal of poslab at all.
struct JournalForeign : base::Error {
  using base::Error::Error;
};

/// A journal that cannot be read as a database: whoever runs next keeps it aside and begins a new one.
struct JournalCorrupt : base::FileError {
  using base::FileError::FileError;
};

/// What the numbers of a cell came from, beside what the cell asks.
struct Origin {
  std::string plugin_hash;  ///< of the library that the scheme came from
  std::string experiment_version, scheme_version;
};

/// Of one cell that is in a journal.
struct JournalKnown {
  std::int64_t number = 0;  ///< of its row: rows of later runs have higher numbers
  base::Status status = base::Status::ok;
  Origin origin;
  std::string question;  ///< `question_of` the cell
  std::uint64_t seed = 0;
  bool damaged = false;  ///< its checksum is wrong: nothing above can be relied upon
};

struct JournalContent {
  std::unordered_map<std::string, JournalKnown> known;  ///< by identity of the cell
  std::vector<std::string> notices;                     ///< for whoever runs it: what was wrong, what became of it
};

/// What a run says of itself in its journal.
struct JournalRun {
  std::string title, study_hash, study_path, resolved_study;
  std::string shard;   ///< "3/40", or empty
  std::string poslab;  ///< version
  std::size_t planned = 0, skipped = 0;
  std::size_t kept = 0;  ///< done in earlier runs
};

/// A machine on which cells were performed: after a stop a run may go on on another, which may have another type of
/// processor.
struct JournalMachine {
  std::string host, processor;
  std::size_t cells = 0;
  std::int64_t first = 0, last = 0;  ///< when their first and last cell were done, in seconds since 1970
};

/// A hash of what a cell asks, whatever answers: its identity without seed and versions.
std::string question_of(const base::Cell& cell);

class Journal {
 public:
  /// Called with the indices that `add` was given, once they are on disk. From any thread, one call at a time.
  using Committed = std::function<void(const std::vector<std::size_t>&)>;
  enum class Start { resume, fresh };

  /// Opens `path` or makes it, and holds it until destroyed; what is there is removed for a fresh start, once it is held.
  /// A database that SQLite itself calls corrupt is renamed and a new one begun; rows whose checksum is wrong are
  /// dropped: `notices` says so. Throws JournalHeld, JournalForeign, base::FileError.
  explicit Journal(const std::filesystem::path& path, Start start = Start::resume);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();  ///< commits

  /// What a journal knows, without holding it: for a plan, and while another process writes it. Empty if there is none.
  /// Throws JournalCorrupt, JournalForeign, base::FileError.
  static JournalContent read(const std::filesystem::path& path);

  /// `results.h5` -> `results.h5.journal`; of a link, beside the file that it leads to: one file, one journal
  static std::filesystem::path beside(const std::filesystem::path& output);

  /// What was there when it was opened; until `begin`, which forgets it.
  const std::unordered_map<std::string, JournalKnown>& known() const;
  const std::vector<std::string>& notices() const;
  /// Says what is performed from now on, for whoever looks at the journal. On disk at once.
  void begin(const JournalRun& run);

  /// Who is told of what is on disk from now on; null: nobody.
  void report_to(Committed committed);
  /// Keeps the outcome of a cell; it is on disk within half a second, or after `commit`. Replaces an earlier one.
  /// Throws base::FileError, as on a full disk; what was committed before stays. `index` is for `Committed`.
  void add(std::size_t index, const base::Cell& cell, const base::Outcome& outcome, const Origin& origin);
  void commit();

  /// The outcome of a cell that was there or was added. Throws base::Error if there is none, or none that can be read.
  base::Outcome outcome(const std::string& cell_id) const;

  /// Where those of these cells that it has were performed, in the order in which the machines began.
  std::vector<JournalMachine> machines(const std::vector<std::string>& cell_ids) const;

 private:
  class Database;
  std::unique_ptr<Database> database_;
};

}  // namespace poslab::run
