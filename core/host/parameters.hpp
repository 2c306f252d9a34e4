// SPDX-License-Identifier: Apache-2.0
// Parameters as a plugin's table declares them, and as they are given.
#pragma once

#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/plugin.h"

namespace poslab::host {

/// The parameters that `table` declares; throws base::Error with the rule that one breaks.
std::vector<data::Quantity> declared_parameters(const poslab_plugin& table);

/// All parameters in declared order, `given` ones validated, the others at their defaults; throws base::Error.
data::Values complete(const data::SchemeInfo& info, const data::Values& given);

}  // namespace poslab::host
