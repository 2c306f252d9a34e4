// SPDX-License-Identifier: Apache-2.0
// A look at everything in a results file before anything in it is believed: a file comes from anybody, and HDF5 has ways to
// make its reader open other files, run other code, and ask for memory without end.
#pragma once

#include <string>

#include "data.hpp"

namespace poslab::results {

/// What poslab writes stays far below these; schema.md says them to people.
inline constexpr std::size_t most_objects = 100'000;
inline constexpr int deepest_group = 4;
inline constexpr hsize_t most_elements = hsize_t{1} << 37;  ///< of all datasets together, as if nothing were left out
inline constexpr hsize_t largest_attribute = 1 << 20;       ///< bytes

/// Throws base::FileError, which names the first object that a results file cannot hold: a link to another file or by
/// name, an object with two names, data that lies in other files or behind an unknown filter, a type that poslab does not
/// write, an extent that cannot be. Opens no other file, follows no reference and reads no values.
void vet(const h5::Handle& file, const std::string& path);

}  // namespace poslab::results
