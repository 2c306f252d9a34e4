// SPDX-License-Identifier: Apache-2.0
// The group `trained`: the arrays that cells kept, a group for each cell.
#pragma once

#include <vector>

#include "h5/handle.hpp"
#include "poslab/results/writer.hpp"
#include "write/first_pass.hpp"

namespace poslab::results {

/// Nothing where no cell kept any. Reads the outcomes of those that did, one at a time.
void write_trained(const h5::Handle& file, const std::vector<Row>& rows, const FirstPass& pass);

}  // namespace poslab::results
