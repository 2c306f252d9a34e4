// SPDX-License-Identifier: Apache-2.0
// A shard is its journal: beside the outcomes it keeps what they are a part of, so that a merge needs no other file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/families.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/shard.hpp"
#include "poslab/journal/journal.hpp"
#include "poslab/journal/journal_status.hpp"

namespace poslab::journal {

/// What a run of a shard is a part of, and with what it was made.
struct ShardRecord {
  data::Shard shard;
  std::string title, study_hash;
  std::string poslab;     ///< version of the program
  std::string plan_hash;  ///< equal in all shards of one plan
  std::size_t whole = 0;  ///< cells in the whole plan
  data::Families families = {};
  std::vector<data::ExperimentInfo> experiments = {};  ///< those that the study uses, in its order
  std::vector<data::SchemeInfo> schemes = {};          ///< likewise
  std::vector<data::Expectation> expectations = {};    ///< of the study: judged when all cells are there
  std::vector<data::Cell> cells = {};                  ///< of the shard, in plan order; their experiments are above
  std::vector<std::size_t> indices = {};               ///< of these cells in the whole plan, increasing
  std::map<std::string, std::string> provenance = {};  ///< texts of the run, by name, as a results file has them
};

/// With a checksum, and without paths of libraries, which differ between machines.
std::string pack(const ShardRecord& record);
/// Throws data::NotPacked, and nothing else; `bytes` may come from anybody.
ShardRecord unpack_shard_record(std::string_view bytes);

/// A journal without a record: of a whole run, or of a shard that an earlier poslab performed.
struct NoShardRecord : base::FileError {
  NoShardRecord(const std::filesystem::path& journal, const JournalStatus& run);
  bool is_shard;  ///< an earlier poslab's; false: a whole run's
};

class JournalDatabase;

/// Reads the journal of a shard, without its lock. It may come from a stranger.
class ShardJournal {
 public:
  /// Reads every row once, and closes. Throws NoShardRecord, JournalCorrupt, base::FileError where it is not there or
  /// its record is damaged, base::Error for a foreign file.
  explicit ShardJournal(std::filesystem::path path);
  ~ShardJournal();

  const std::filesystem::path path;
  ShardRecord record;
  JournalStatus status;
  std::vector<std::string> damaged_rows;  ///< whose checksum is wrong: identities of their cells, or "row 3"

  /// Whether `record.cells[i]` has an outcome: of the plugin's code that the record names.
  bool is_done(std::size_t i) const;
  /// Precondition: it has one. Opens the journal if it is closed. Throws base::FileError where the row is gone, or is
  /// not an outcome of this cell.
  data::Outcome outcome(std::size_t i);
  std::vector<JournalMachine> machines();  ///< on which its cells were performed
  std::vector<JournalBuild> builds();      ///< by which they were
  bool is_open() const { return open_ != nullptr; }
  void close();

 private:
  JournalDatabase& open();
  std::vector<std::string> performed() const;  // identities of the cells that have a row

  JournalContent content_;
  std::unique_ptr<JournalDatabase> open_;
};

}  // namespace poslab::journal
