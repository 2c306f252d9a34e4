// SPDX-License-Identifier: Apache-2.0
// Cells, outcomes, declarations and expectations as bytes, for a journal, a shard's file or another process:
// little-endian, with a version and a checksum, so that what was cut short or changed is noticed and never misread.
#pragma once

#include <string>
#include <string_view>

#include "poslab/base/error.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/kept_array.hpp"
#include "poslab/data/outcome.hpp"

namespace poslab::data {

/// Bytes that are not what pack wrote: cut short, changed, or of another version.
struct NotPacked : base::Error {
  enum class Problem {
    too_short,
    changed,
    other_kind,
    other_version,
    ends_too_soon,
    too_long,
    out_of_range,
    too_many_names,
    name_twice,
    contradiction
  };
  /// `detail` is part of the sentences about a version, a name and a contradiction.
  explicit NotPacked(Problem problem, const std::string& detail = "");
  Problem problem;
};

std::string pack(const Outcome& outcome);
std::string pack(const Cell& cell);
std::string pack(const SchemeInfo& scheme);
std::string pack(const ExperimentInfo& experiment);
std::string pack(const Expectation& expectation);
std::string pack(const Values& values);
std::string pack(const GivenWeights& weights);
/// Throw NotPacked, and nothing else; `bytes` may come from anybody. What they take, `pack` gives back byte for byte.
Outcome unpack_outcome(std::string_view bytes);
Cell unpack_cell(std::string_view bytes);
SchemeInfo unpack_scheme(std::string_view bytes);
ExperimentInfo unpack_experiment(std::string_view bytes);
Expectation unpack_expectation(std::string_view bytes);
Values unpack_values(std::string_view bytes);
GivenWeights unpack_given_weights(std::string_view bytes);

}  // namespace poslab::data
