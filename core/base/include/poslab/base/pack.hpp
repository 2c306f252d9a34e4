// SPDX-License-Identifier: Apache-2.0
// Cells, outcomes and what they stand for, as bytes that rest in a journal or in a shard's file, or cross to another process:
// little-endian, with a version and a checksum, so that what was cut short or changed is noticed and never misread.
#pragma once

#include <string>
#include <string_view>

#include "poslab/base/catalogue.hpp"
#include "poslab/base/cell.hpp"
#include "poslab/base/error.hpp"

namespace poslab::base {

/// Bytes that are not what pack wrote: cut short, changed, or of another version.
struct NotPacked : Error {
  using Error::Error;
};

std::string pack(const Outcome& outcome);
std::string pack(const Cell& cell);
std::string pack(const SchemeInfo& scheme);
std::string pack(const ExperimentInfo& experiment);
std::string pack(const Expectation& expectation);
std::string pack(const Values& values);
/// Throw NotPacked, and nothing else; `bytes` may come from anybody. What they take, `pack` gives back byte for byte.
Outcome unpack_outcome(std::string_view bytes);
Cell unpack_cell(std::string_view bytes);
SchemeInfo unpack_scheme(std::string_view bytes);
ExperimentInfo unpack_experiment(std::string_view bytes);
Expectation unpack_expectation(std::string_view bytes);
Values unpack_values(std::string_view bytes);

}  // namespace poslab::base
