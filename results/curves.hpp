// SPDX-License-Identifier: Apache-2.0
// Writes the curves of one cell after another, each at its own coordinates: what is padding in the file is never in
// memory.
#pragma once

#include <utility>
#include <vector>

#include "data.hpp"
#include "survey.hpp"

namespace poslab::results {

class CurveWriter {
 public:
  /// `dataset` has the dimensions `cell` and those of `measure`, and stays open.
  void add(const base::MeasureInfo& measure, hid_t dataset) { targets_.emplace_back(&measure, dataset); }
  /// Every curve of `record` into row `cell`. Throws base::Error where the record is not the one that was surveyed.
  void write(const base::Record& record, const ExperimentSurvey& experiment, std::size_t cell) const;

 private:
  std::vector<std::pair<const base::MeasureInfo*, hid_t>> targets_;
};

}  // namespace poslab::results
