// SPDX-License-Identifier: Apache-2.0
// A results file as far as it fits on a screen: cells, scalars, what was answered and expected; no curves over
// positions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "poslab/data/answer_table.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/kept_array.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/plugin_check.hpp"

namespace poslab::results {

/// A measure over one dimension, as a cell has it.
struct StoredCurve {
  std::string measure;
  std::vector<double> coordinates, values;
};

struct StoredCell {
  data::Cell cell;  ///< id, experiment, scheme, label, repeat; its axes as texts, inner ones as lists
  data::Status status = data::Status::ok;
  std::string message;
  /// The scalar of each measure of its experiment, or the last value of a curve over one inner axis; NaN: none. Empty
  /// unless ok.
  std::vector<double> last;
  std::vector<double> first;  ///< the first value of each curve whose last one that is, and each scalar once more
  std::vector<double> at;     ///< the coordinate of each of these along its dimension; NaN: none
  data::WeightsState weights = data::WeightsState::none;
  std::vector<StoredCurve> curves;  ///< those that were asked for
};

struct StoredRun {
  std::string title;
  bool complete = true;
  std::size_t planned_cells = 0;
  std::vector<StoredCell> cells;                  ///< in plan order
  std::vector<data::ExperimentInfo> experiments;  ///< names, titles and dimensions only
  data::AnswerTable answers;
  data::PluginChecks plugin_checks;
  std::vector<data::WeightsFile> weights_files;
  std::vector<data::ExpectationResult> expectations;
};

/// `curves`: names of measures over one dimension that are read, too. Throws base::FileError. HDF5 itself crashes on
/// some damaged files: to be called in a child process.
StoredRun read_run(const std::string& path, const std::vector<std::string>& curves = {});

}  // namespace poslab::results
