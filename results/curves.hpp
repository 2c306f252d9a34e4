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
  /// `dataset` has the dimensions `cell` and the one whose points it places.
  void add(const PlaceUse& place, hid_t dataset) { places_.emplace_back(place, dataset); }
  /// Every curve of `record`, and where its points lie, into row `cell`. Throws base::Error where the record is not the one that was surveyed.
  void write(const base::Record& record, const ExperimentSurvey& experiment, std::size_t cell) const;

 private:
  std::vector<std::pair<const base::MeasureInfo*, hid_t>> targets_;
  std::vector<std::pair<PlaceUse, hid_t>> places_;
};

}  // namespace poslab::results
