// SPDX-License-Identifier: Apache-2.0
// The file of a shard, as merge reads it. It may come from a stranger: it is vetted and checked against itself. Only
// numbers and packed records are read: HDF5 1.10 itself crashes, or loops for ever, on a text of variable length whose
// heap has a flipped bit.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/families.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/shard.hpp"
#include "read/packed_column.hpp"

namespace poslab::results {

/// A results file, but no shard's.
struct NoShard : base::FileError {
  using base::FileError::FileError;
};

class ShardFile {
 public:
  /// Throws NoShard, or base::FileError where it cannot be read at all.
  explicit ShardFile(std::string path);

  std::string path;
  data::Shard shard;
  std::string title, study_hash, plan_hash, poslab_version;
  std::int64_t schema_version = 0;
  std::size_t whole = 0;
  data::Families families;  ///< none in a file from before there were any
  std::vector<data::ExperimentInfo> experiments;
  std::vector<data::SchemeInfo> schemes;
  std::vector<data::Expectation> expectations;
  std::map<std::string, std::string> provenance;  ///< its texts

  std::vector<std::size_t> indices;        ///< of its cells in the whole plan, increasing
  std::vector<data::Cell> cells;           ///< one for each index; without an id where the record is damaged
  std::vector<double> seconds;             ///< one for each index; NaN where it did not run
  std::vector<std::size_t> damaged_cells;  ///< which of `cells` cannot be read

  bool finished(std::size_t i) { return finished_[i]; }
  /// As packed. Throws h5::Error where the file cannot be read.
  std::string packed_outcome(std::size_t i);
  /// Throws data::NotPacked where the record is damaged.
  data::Outcome outcome(std::size_t i);
  /// Closes the file until it is read again.
  void close();
  void reopen();
  bool is_closed() const { return file_.id() < 0; }

 private:
  void read_header(const h5::Handle& group);
  void read_cells(const h5::Handle& group);
  void read_provenance();

  h5::Handle file_;
  struct stat vetted_ {};  // as it was when it was vetted
  PackedColumn outcomes_;
  std::vector<bool> finished_;
};

}  // namespace poslab::results
