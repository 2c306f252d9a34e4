// SPDX-License-Identifier: Apache-2.0
// The group of a study's expectations: what was declared, what was measured, whether it holds.
#pragma once

#include <vector>

#include "group.hpp"
#include "poslab/base/cell.hpp"

namespace poslab::results {

void write_expectations(const h5::Handle& file, const std::vector<base::ExpectationResult>& results);

}  // namespace poslab::results
