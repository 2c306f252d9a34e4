// SPDX-License-Identifier: Apache-2.0
// The group of one experiment: its cells as columns, the dimensions of its curves, its measures.
#pragma once

#include "group.hpp"
#include "survey.hpp"

namespace poslab::results {

/// Asks once more for the outcome of every row that has curves, one at a time, in order.
void write_experiment(const h5::Handle& file, const Description& description, const std::vector<Row>& rows,
                      const Survey& survey, const ExperimentSurvey& experiment);

}  // namespace poslab::results
