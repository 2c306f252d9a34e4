// SPDX-License-Identifier: Apache-2.0
// Writes one results file (results/schema.md): HDF5 that opens as netCDF-4, one row a cell, in plan order.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "poslab/data/answer_table.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/families.hpp"
#include "poslab/data/outcome.hpp"

namespace poslab::results {

inline constexpr std::int64_t schema_version = 2;  ///< of results/schema.md
inline constexpr std::int64_t schema_minor = 0;    ///< what readers of an earlier one may overlook

/// Machine facts and texts; the only part of a file that may differ between two exact runs.
struct Provenance {
  /// name -> text: study, resolved_study, versions, processor, command_line ...
  std::vector<std::pair<std::string, std::string>> texts;
};

struct Description {
  std::string title;
  std::string study_hash;
  bool complete = true;  ///< false: interrupted; cells that did not run are left out
  std::size_t planned_cells = 0;
  std::vector<data::ExperimentInfo> experiments;  ///< those that the study uses, in its order
  std::vector<data::SchemeInfo> schemes;          ///< those that the study uses, in its order
  Provenance provenance;
  data::Families families = {};  ///< for how many answers the marks of an experiment are corrected
};

/// One finished (or skipped) cell. The writer calls `outcome` for one row at a time, and keeps none.
struct Row {
  const data::Cell* cell;
  std::function<data::Outcome()> outcome;
};

/// Throws base::FileError where `write` to `path` could not even begin: no such directory, not writable, a directory or
/// a device under that name. Leaves nothing behind. To be called before the work is done.
void check_writable(const std::string& path);

/// Removes what killed writers of `path` left beside it. The caller must hold the lock on that output.
void clear_leftovers(const std::string& path);

/// What was made of the outcomes.
struct Conclusions {
  std::vector<data::ExpectationResult> expectations;
  data::AnswerTable answers;
};

/// Writes under a temporary name beside `path`, flushes, closes, fsyncs, renames. Throws base::FileError; then `path`
/// is untouched and the temporary file is gone. Same rows in the same order give the same bytes outside provenance.
void write(const std::string& path, const Description& description, const std::vector<Row>& rows,
           const Conclusions& conclusions);

}  // namespace poslab::results
