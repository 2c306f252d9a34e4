// SPDX-License-Identifier: Apache-2.0
// A fit whose inputs and targets are not one for one.
#pragma once

#include <string_view>

#include "poslab/base/array.hpp"
#include "poslab/base/error.hpp"

namespace poslab::numerics {

/// A fit wants as many targets as inputs, 1 or more.
base::Error unequal_rows(std::string_view fit, base::Index inputs, base::Index targets);

}  // namespace poslab::numerics
