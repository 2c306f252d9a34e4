// SPDX-License-Identifier: Apache-2.0
// How many different rows a table has.
#pragma once

#include "poslab/base/array.hpp"

namespace poslab::numerics {

/// Of rows [N, W]; those are equal whose entries all are (0 and -0 are).
template <class S>
base::Index distinct_rows(base::View<const S> rows);

}  // namespace poslab::numerics
