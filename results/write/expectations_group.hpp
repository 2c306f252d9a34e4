// SPDX-License-Identifier: Apache-2.0
// The group of a study's expectations: what was declared, what was measured, whether it holds.
#pragma once

#include <vector>

#include "poslab/data/cell.hpp"
#include "poslab/data/expectation.hpp"
#include "write/group.hpp"

namespace poslab::results {

void write_expectations(const h5::Handle& file, const std::vector<data::ExpectationResult>& results);

}  // namespace poslab::results
