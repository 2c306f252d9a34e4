// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/record.hpp"

namespace poslab::data {

/// Empty if the record can be one of this cell: only declared measures, with their declared dimensions, and inner axes
/// at the cell's own values. Otherwise why not.
std::string why_not_record_of(const Record& record, const ExperimentInfo& experiment, const Cell& cell);

}  // namespace poslab::data
