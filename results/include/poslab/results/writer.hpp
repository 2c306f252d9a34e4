// SPDX-License-Identifier: Apache-2.0
// Writes one results file (results/schema.md): HDF5 that opens as netCDF-4, one row a cell, in plan order.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "poslab/base/catalogue.hpp"
#include "poslab/base/cell.hpp"
#include "poslab/base/shard.hpp"

namespace poslab::results {

/// Machine facts and texts; the only part of a file that may differ between two exact runs.
struct Provenance {
  /// name -> text: study, resolved_study, versions, processor, command_line ...
  std::vector<std::pair<std::string, std::string>> texts;
};

/// What the file of a shard says beside the results of its cells, so that it can be merged.
struct ShardPart {
  base::Shard shard;
  std::string poslab_version;
  std::string plan_hash;                        ///< equal in all shards of one plan
  std::size_t whole = 0;                        ///< cells in the whole plan
  std::vector<base::Expectation> expectations;  ///< of the study: judged when all cells are there
  std::vector<const base::Cell*> cells;         ///< those of this shard, in plan order; the rows are among them
  std::vector<std::size_t> places;              ///< of these in the whole plan
};

struct Description {
  std::string title;
  std::string study_hash;
  bool complete = true;  ///< false: interrupted; cells that did not run are left out
  std::size_t planned_cells = 0;
  std::vector<base::ExperimentInfo> experiments;  ///< those that the study uses, in its order
  std::vector<base::SchemeInfo> schemes;          ///< those that the study uses, in its order
  Provenance provenance;
  std::optional<ShardPart> shard;  ///< if this is a shard's file
};

/// One finished (or skipped) cell. The writer asks for outcomes one at a time and keeps none.
struct Row {
  const base::Cell* cell;
  std::function<base::Outcome()> outcome;
};

/// Throws base::FileError where `write` to `path` could not even begin: no such directory, not writable, a directory or
/// a device in its place. Leaves nothing behind. To be asked before the work is done.
void check_writable(const std::string& path);

/// Removes what killed writers of `path` left beside it. To be called by who holds the lock on that output.
void clear_leftovers(const std::string& path);

/// Writes under a temporary name beside `path`, flushes, closes, fsyncs, renames. Throws base::FileError; then `path`
/// is untouched and the temporary file is gone. Same rows in the same order give the same bytes outside provenance.
void write(const std::string& path, const Description& description, const std::vector<Row>& rows,
           const std::vector<base::ExpectationResult>& expectations);

/// An array for `poslab table`: dimensions by name, each with coordinates.
struct NamedArray {
  std::string name, unit, sentence;
  std::vector<std::string> dimensions;
  std::vector<std::size_t> shape;
  std::vector<double> values;
  std::string coordinates = {};  ///< names of arrays that say where its points lie, with spaces between
};
struct NamedCoordinate {
  std::string dimension, unit;
  std::vector<double> values;
};
/// Writes arrays at the root of a file with the same habits (scales on every axis, temporary name, rename).
void write_table(const std::string& path, const std::string& title,
                 const std::vector<std::pair<std::string, std::string>>& attributes,
                 const std::vector<NamedCoordinate>& coordinates, const std::vector<NamedArray>& arrays);

/// What stands under a name that is to be written to.
struct Found {
  enum class Kind { nothing, run, table };
  Kind kind = Kind::nothing;
  std::string study_hash;  ///< of a run
  bool complete = false;
};
/// Throws base::FileError if it is neither a results file nor a table of poslab. HDF5 itself crashes on some damaged
/// files: to be asked in a process that may end.
Found found_in(const std::string& path);

}  // namespace poslab::results
