// SPDX-License-Identifier: Apache-2.0
// Words of a command line as values.
#pragma once

#include <string>

#include "poslab/data/value.hpp"

namespace poslab::data {

/// One value that is no list: `true`, `8`, `1e4`, or else the text itself.
Value parse_scalar(const std::string& text);
/// What a parameter may be set to: a scalar, `unset`, or a list of numbers `1,2.5`. Not for the values of an axis:
/// there a comma separates one value from the next, and none of them can be unset.
Value parse_value(const std::string& text);

}  // namespace poslab::data
