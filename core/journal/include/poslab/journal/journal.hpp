// SPDX-License-Identifier: Apache-2.0
// The outcomes of finished cells, beside the results file: an SQLite database with a row a cell, written by one
// process. What it reports as done stays done, however the run ends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/checkpoint.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/pack.hpp"

namespace poslab::journal {

/// A journal that is damaged as a database: the next run renames it and begins a new one.
struct JournalCorrupt : base::FileError {
  explicit JournalCorrupt(const std::filesystem::path& journal);
};

/// By whose code a cell was performed.
struct Origin {
  std::string plugin_hash;  ///< data::SchemeInfo::code_hash of the scheme
  std::string experiment_version, scheme_version;
};

/// A cell that is in a journal.
struct KnownCell {
  std::int64_t number = 0;  ///< of its row: rows of later runs have higher numbers
  data::Status status = data::Status::ok;
  Origin origin;
  std::string question;  ///< `question_of` the cell
  std::uint64_t seed = 0;
  bool damaged = false;  ///< its checksum is wrong: nothing above is reliable
};

struct JournalContent {
  std::unordered_map<std::string, KnownCell> known;  ///< by identity of the cell
  std::vector<std::string> notices;                  ///< for the user: what was wrong, and what became of it
};

/// A program by which cells were performed.
struct Build {
  std::string poslab = "unknown", git_commit = "unknown";  ///< its version, and the commit that was built
  bool operator==(const Build&) const = default;
};

/// A run, as its journal describes it.
struct JournalRun {
  std::string title, study_hash, study_path, resolved_study;
  std::string shard;  ///< "3/40", or empty
  Build build;        ///< of the program that makes it
  std::size_t planned = 0, skipped = 0;
  std::size_t kept = 0;           ///< done in earlier runs
  std::string shard_record = {};  ///< packed ShardRecord; empty: a whole run
};

/// A machine on which cells were performed: a run may be stopped and resumed on another machine, with another type of
/// processor.
struct JournalMachine {
  std::string host, processor;
  std::size_t cells = 0;
  std::int64_t first = 0, last = 0;  ///< when their first and last cell were done, in seconds since 1970
};

/// What a build has performed: a run may be resumed by another one, which performs again only what plugins, experiments
/// and schemes say that they changed.
struct JournalBuild {
  Build build;
  std::size_t cells = 0;
  std::set<std::string> variants;  ///< labels of these cells' variants
};

/// A hash of what a cell asks: its identity without seed and versions.
std::string question_of(const data::Cell& cell);

class Journal {
 public:
  /// Called with the indices that `add` was given, once they are on disk. From any thread, one call at a time.
  using Committed = std::function<void(const std::vector<std::size_t>&)>;
  enum class Start { resume, fresh };

  /// Opens `path` or creates it, and holds its lock until destroyed. A fresh start removes what is there, once the lock
  /// is held. A corrupt database is renamed and a new one begun, and rows whose checksum is wrong are removed:
  /// `notices` says so. Throws base::Error, `busy` if another process holds it, and base::FileError.
  explicit Journal(const std::filesystem::path& path, Start start = Start::resume);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();  ///< commits

  /// The content without taking the lock: for a plan, and while another process writes it. Empty if there is none.
  /// Throws JournalCorrupt, base::Error for a foreign file, base::FileError.
  static JournalContent read(const std::filesystem::path& path);

  /// `results.h5` -> `results.h5.journal`; of a link, beside the file that it leads to, so that a file has one journal
  static std::filesystem::path beside(const std::filesystem::path& output);

  /// What was there when it was opened; empty after `begin`.
  const std::unordered_map<std::string, KnownCell>& known() const;
  const std::vector<std::string>& notices() const;
  /// Describes the run that begins now, for `poslab status`. On disk at once.
  void begin(const JournalRun& run);

  /// Called for all that is committed from now on; may be null.
  void on_commit(Committed committed);
  /// Stores the outcome of a cell, in place of an earlier one; it is on disk within half a second, or after `commit`.
  /// `index` is for `Committed`. Throws base::FileError, as on a full disk; what was committed before stays.
  void add(std::size_t index, const data::Cell& cell, const data::PackedOutcome& outcome, const Origin& origin);
  void commit();

  /// What a long cell goes on from, in place of an earlier one; stored soon, on a thread of its own. It is forgotten
  /// once the outcome of the cell is on disk. Throws base::FileError where an earlier one could not be stored.
  void keep(const data::Cell& cell, data::CheckpointPointer checkpoint, const std::string& maker);
  bool has_checkpoint(const std::string& cell_id) const;
  /// Null: the cell has none of this maker.
  data::CheckpointPointer checkpoint(const std::string& cell_id, const std::string& maker) const;
  /// For a cell whose outcome is stored.
  void forget_checkpoint(const std::string& cell_id);

  /// The outcome of a cell that was there or was added. Throws base::Error if there is none, or it is damaged.
  data::Outcome outcome(const std::string& cell_id) const;

  /// Where these cells were performed, without those that it does not have, in the order in which the machines began.
  std::vector<JournalMachine> machines(const std::vector<std::string>& cell_ids) const;
  /// By which builds these cells were performed, likewise.
  std::vector<JournalBuild> builds(const std::vector<std::string>& cell_ids) const;

 private:
  struct Open;
  std::unique_ptr<Open> open_;
};

}  // namespace poslab::journal
