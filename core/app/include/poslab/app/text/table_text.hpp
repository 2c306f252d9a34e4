// SPDX-License-Identifier: Apache-2.0
// What `poslab table` prints: a scheme's arrays as pictures.
#pragma once

#include <string>

#include "poslab/data/placement.hpp"
#include "poslab/host/scheme.hpp"
#include "poslab/run/scheme_arrays.hpp"

namespace poslab::app {

/// The scheme and its model in one line; `positions` as in "64 positions from 0".
std::string table_heading(const run::SchemeArrays& arrays, const host::Scheme& scheme, const std::string& positions);
/// Each array as shades: of its last two dimensions, or on a grid what the query in the middle adds to each key.
std::string pictures_text(const run::SchemeArrays& arrays, const data::Placement& placement);
/// "3 arrays in a.h5"
std::string written_text(const run::SchemeArrays& arrays, const std::string& output);

}  // namespace poslab::app
