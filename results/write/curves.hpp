// SPDX-License-Identifier: Apache-2.0
// The curves of an experiment: their dimensions, which coordinates each cell has, and the values of one cell after
// another, each at its own coordinates: the padding of the file's arrays is never in memory.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "h5/dataset.hpp"
#include "write/first_pass.hpp"
#include "write/group.hpp"

namespace poslab::results {

class CurveWriter {
 public:
  /// `dataset` has the dimensions `cell` and those of `measure`, and stays open.
  void add(const data::MeasureInfo& measure, hid_t dataset) { measures_.emplace_back(&measure, dataset); }
  /// `dataset` has the dimensions `cell` and that of `axis`.
  void add(const PositionAxis& axis, hid_t dataset) { positions_.emplace_back(axis, dataset); }
  /// Every curve of `record`, and the positions of its points, into row `cell`. Throws base::Error where the record
  /// is not the one of the first pass.
  void write(const data::Record& record, const ExperimentTable& experiment, std::size_t cell) const;

 private:
  std::vector<std::pair<const data::MeasureInfo*, hid_t>> measures_;
  std::vector<std::pair<PositionAxis, hid_t>> positions_;
};

/// The variable of coordinates, `<dimension>_count` or `<dimension>_used`, and `<dimension>_row` ... where cells give
/// the positions of their points; `curves` is to write those.
void write_dimension(Group& group, const data::ExperimentInfo& info, const ExperimentTable& experiment,
                     const DimensionUse& use, CurveWriter& curves);

/// For `@coordinates`: the columns that every measure has, and the positions of the points of its own dimensions.
std::string coordinate_names(std::string columns, const data::MeasureInfo& measure, const ExperimentTable& experiment);

}  // namespace poslab::results
