// SPDX-License-Identifier: Apache-2.0
// The dimensions of an experiment's curves: their coordinates, which of them each cell has, and its points' positions.
#pragma once

#include <string>

#include "write/curves.hpp"
#include "write/first_pass.hpp"
#include "write/group.hpp"

namespace poslab::results {

/// The variable of coordinates, `<dimension>_count` or `<dimension>_used`, and `<dimension>_row` ... where cells give
/// the positions of their points; `curves` is to write those.
void write_dimension(Group& group, const data::ExperimentInfo& info, const ExperimentTable& experiment,
                     const DimensionUse& use, CurveWriter& curves);

/// For `@coordinates`: the columns that every measure has, and the positions of the points of its own dimensions.
std::string coordinate_names(std::string columns, const data::MeasureInfo& measure, const ExperimentTable& experiment);

}  // namespace poslab::results
