// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "poslab/base/error.hpp"

namespace poslab::base {

/// What somebody asked for in words cannot be understood or is out of its range, whichever room found that out: the
/// program then also says where it explains its words.
struct BadArgument : Error {
  using Error::Error;
};

}  // namespace poslab::base
