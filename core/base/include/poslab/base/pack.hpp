// SPDX-License-Identifier: Apache-2.0
// A cell and its outcome as bytes that rest in a journal or cross to another process: little-endian, with a version and a
// checksum, so that what was cut short or changed is noticed and never misread.
#pragma once

#include <string>
#include <string_view>

#include "poslab/base/cell.hpp"
#include "poslab/base/error.hpp"

namespace poslab::base {

/// Bytes that are not what pack wrote: cut short, changed, or of another version.
struct NotPacked : Error {
  using Error::Error;
};

std::string pack(const Outcome& outcome);
std::string pack(const Cell& cell);
/// Throw NotPacked.
Outcome unpack_outcome(std::string_view bytes);
Cell unpack_cell(std::string_view bytes);

}  // namespace poslab::base
