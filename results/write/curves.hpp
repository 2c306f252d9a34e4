// SPDX-License-Identifier: Apache-2.0
// Writes the curves of one cell after another, each at its own coordinates: the padding of the file's arrays is never
// in memory.
#pragma once

#include <utility>
#include <vector>

#include "h5/dataset.hpp"
#include "write/first_pass.hpp"

namespace poslab::results {

class CurveWriter {
 public:
  /// `dataset` has the dimensions `cell` and those of `measure`, and stays open.
  void add(const data::MeasureInfo& measure, hid_t dataset) { measures_.emplace_back(&measure, dataset); }
  /// `dataset` has the dimensions `cell` and that of `axis`.
  void add(const PositionAxis& axis, hid_t dataset) { positions_.emplace_back(axis, dataset); }
  /// Every curve of `record`, and the positions of its points, into row `cell`. Throws MeasureMismatch where the record
  /// is not the one of the first pass.
  void write(const data::Record& record, const ExperimentTable& experiment, std::size_t cell) const;

 private:
  std::vector<std::pair<const data::MeasureInfo*, hid_t>> measures_;
  std::vector<std::pair<PositionAxis, hid_t>> positions_;
};

}  // namespace poslab::results
