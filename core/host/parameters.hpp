// SPDX-License-Identifier: Apache-2.0
// Parameters on both sides of the boundary: declared by a plugin's table, given as data::Values, handed over as C.
#pragma once

#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/plugin.h"

namespace poslab::host {

/// The parameters that `table` declares; throws base::Error with the rule that one breaks.
std::vector<data::Quantity> declared_parameters(const poslab_plugin& table);

/// All parameters in declared order, `given` ones validated, the others at their defaults; throws base::Error.
data::Values complete(const data::SchemeInfo& info, const data::Values& given);

/// The C values of `values` (complete, in declared order). Lists point into `values`, which must outlive them.
std::vector<poslab_value> to_boundary(const std::vector<data::Quantity>& declared, const data::Values& values);

}  // namespace poslab::host
