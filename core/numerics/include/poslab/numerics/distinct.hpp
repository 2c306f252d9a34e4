// SPDX-License-Identifier: Apache-2.0
// How many different rows a table has.
#pragma once

#include "poslab/base/array.hpp"

namespace poslab::numerics {

/// As what numbers are stored before they are compared; bfloat16 is made of float32, as programs do, ties to even.
enum class Stored { as_given, as_float32, as_bfloat16 };

/// How many rows [N, W] are distinct; two are equal if all their entries are (0 and -0 are). The table is rounded as it
/// is read: no copy.
template <class S>
base::Index distinct_rows(base::View<const S> rows, Stored stored = Stored::as_given);

}  // namespace poslab::numerics
