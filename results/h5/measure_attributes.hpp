// SPDX-License-Identifier: Apache-2.0
// What a measure says of itself in a results file, by the one description of data/catalogue.hpp, which packed records
// follow, too. (Python has all attributes of a variable anyway.)
#pragma once

#include "h5/attribute.hpp"
#include "poslab/data/catalogue.hpp"

namespace poslab::results {

/// With `coordinates`, the names of the columns and positions that say what its values belong to.
h5::Attributes attributes_of(const data::MeasureInfo& measure, const std::string& coordinates);

/// Whether a dataset is a measure: it has tolerances.
bool is_measure(const h5::Handle& dataset);
/// All but its name and dimensions. Throws h5::Error, and what h5::damaged throws for what is no tolerance.
data::MeasureInfo read_measure(const h5::Handle& dataset);

}  // namespace poslab::results
