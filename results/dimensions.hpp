// SPDX-License-Identifier: Apache-2.0
// The dimensions of an experiment's curves: their coordinates, which of them each cell has, and where its points lie.
#pragma once

#include <string>

#include "curves.hpp"
#include "group.hpp"
#include "survey.hpp"

namespace poslab::results {

/// The variable of coordinates, `<dimension>_count` or `<dimension>_used`, and `<dimension>_row` ... where cells say where
/// their points lie; `curves` is to write those.
void write_dimension(Group& group, const base::ExperimentInfo& info, const ExperimentSurvey& experiment,
                     const DimensionUse& use, CurveWriter& curves);

/// The columns that every measure has, and the variables that say where the points of its own dimensions lie.
std::string with_places(std::string coordinates, const base::MeasureInfo& measure, const ExperimentSurvey& experiment);

}  // namespace poslab::results
