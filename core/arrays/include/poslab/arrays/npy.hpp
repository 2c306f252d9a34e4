// SPDX-License-Identifier: Apache-2.0
// The array of a .npy file, as numpy.save writes it: versions 1.0, 2.0 and 3.0, reals of 2, 4 or 8 bytes;
// where they are asked for, whole numbers of 4 or 8.
#pragma once

#include "poslab/arrays/source.hpp"
#include "poslab/data/kept_array.hpp"

namespace poslab::arrays {

/// Named "array"; row-major whatever its order in the file. Trusts nothing. Throws BadArray.
data::KeptArray read_npy(const Source& source, Accept accept = Accept::reals);

}  // namespace poslab::arrays
