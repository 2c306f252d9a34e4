// SPDX-License-Identifier: Apache-2.0
// The group of one experiment: its cells as columns, the dimensions of its curves, its measures.
#pragma once

#include "write/first_pass.hpp"
#include "write/group.hpp"

namespace poslab::results {

/// Reads the outcome of every row that has curves once more, one at a time, in order.
void write_experiment(const h5::Handle& file, const Description& description, const std::vector<Row>& rows,
                      const FirstPass& pass, const ExperimentTable& experiment);

}  // namespace poslab::results
