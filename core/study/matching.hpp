// SPDX-License-Identifier: Apache-2.0
// Which cells a condition or an expectation applies to.
#pragma once

#include "poslab/data/cell.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/study/study.hpp"

namespace poslab::study {

/// Whether a condition of a skip holds for a cell; never, if it is on a parameter that the cell's scheme does not have.
bool holds(const Condition& condition, const data::Cell& cell);

/// Empty if the expectation applies to some cell of the study; else why not. Does not expand the cells.
std::string why_unmatched(const data::Expectation& expectation, const Study& study, const data::Catalogue& catalogue);

/// Empty if some cell that the expectation applies to has the point of a dimension that it names, as far as that is
/// known beforehand; else why not.
std::string why_out_of_reach(const data::Expectation& expectation, const std::vector<data::Cell>& cells,
                             const data::ExperimentInfo& experiment);

}  // namespace poslab::study
