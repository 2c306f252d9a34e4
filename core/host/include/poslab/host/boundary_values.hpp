// SPDX-License-Identifier: Apache-2.0
// Values of parameters as they cross the C boundary.
#pragma once

#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/plugin.h"

namespace poslab::host {

/// The C values of `values` (complete, in declared order). Lists point into `values`, which must outlive them.
std::vector<poslab_value> to_boundary(const std::vector<data::Quantity>& declared, const data::Values& values);

}  // namespace poslab::host
