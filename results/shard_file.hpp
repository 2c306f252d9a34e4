// SPDX-License-Identifier: Apache-2.0
// The file of a shard, as merge reads it. It may come from anybody: what is wrong with it is said, and nothing in it is
// believed that is not there. Only numbers and packed records are read: HDF5 1.10 itself crashes, or loops for ever, on a
// text of variable length whose heap has a flipped bit.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "packed_column.hpp"
#include "poslab/base/catalogue.hpp"
#include "poslab/base/cell.hpp"
#include "poslab/base/shard.hpp"

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
  base::Shard shard;
  std::string title, study_hash, plan_hash, poslab_version;
  std::int64_t schema_version = 0;
  std::size_t whole = 0;
  std::vector<base::ExperimentInfo> experiments;
  std::vector<base::SchemeInfo> schemes;
  std::vector<base::Expectation> expectations;
  std::map<std::string, std::string> provenance;  ///< its texts

  std::vector<std::size_t> places;         ///< of its cells in the whole plan, rising
  std::vector<base::Cell> cells;           ///< one for each place; without an id where the record is damaged
  std::vector<double> seconds;             ///< one for each place; NaN where it did not run
  std::vector<std::size_t> damaged_cells;  ///< places (from 0) whose cell cannot be read

  bool finished(std::size_t i) { return finished_[i]; }
  /// As packed. Throws h5::Error where the file cannot be read.
  std::string packed_outcome(std::size_t i);
  /// Throws base::NotPacked where the record is damaged.
  base::Outcome outcome(std::size_t i);
  /// Closes the file until it is asked again.
  void rest();
  void wake();
  bool resting() const { return file_.id() < 0; }

 private:
  void read();
  void read_header(const h5::Handle& group);
  void read_cells(const h5::Handle& group);
  void read_provenance();

  h5::Handle file_;
  struct stat vetted_ {};  // as it was when it was looked through
  PackedColumn outcomes_;
  std::vector<bool> finished_;
};

}  // namespace poslab::results
