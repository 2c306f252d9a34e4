// SPDX-License-Identifier: Apache-2.0
// Whether a variant fits at every number, inside the error of a precision.
#pragma once

#include <limits>
#include <vector>

#include "observation.hpp"
#include "poslab/numerics/format.hpp"

namespace poslab::identify {

/// How far numbers may be off that were made in a precision: `of_angle` is relative to the angle, so that it grows with
/// the position; `of_result` is relative to the size of what is rounded.
struct Standard {
  Precision precision;
  double of_angle, of_result;
  const numerics::Format* format = nullptr;  ///< of an emulated stage
};

/// From the strictest to the least strict. Stages in 16 bits are emulated; they come last.
std::vector<Standard> standards_for(const Evidence& evidence);

enum class Rows {
  few,  ///< some near the beginning, some far from it: a variant that fails there fails
  all
};

/// `named` of the result is left empty.
Fit compare(const Candidate& candidate, const Evidence& evidence, const Standard& standard, Rows rows);

/// The first standard whose error the variant is inside of, at few rows and then at all; else how it compares by the
/// least strict that is not emulated.
Fit best_fit(const Candidate& candidate, const Evidence& evidence, const std::vector<Standard>& standards);
/// The same, but what is outside is compared at all rows, too.
Fit whole_fit(const Candidate& candidate, const Evidence& evidence, const std::vector<Standard>& standards);
/// At few rows only, none emulated; for a quick no.
bool may_fit(const Candidate& candidate, const Evidence& evidence, const std::vector<Standard>& standards);

/// Mean square of the differences that 16 bits make, in sizes, where they change little.
inline constexpr double near_in_16_bits = 3e-3;

/// Whether it could still fit, in some precision: from a row or two.
bool may_come_near(const Candidate& candidate, const Evidence& evidence);

/// The same, where the variant's planes have turned so little that 16 bits change little: of what is emulated.
bool comes_near_slowly(const Candidate& candidate, const Evidence& evidence);

/// Mean square of the differences at few of the first `max_rows` rows, or at all of them, in sizes; infinite where the
/// variant has no numbers, or is known to be farther than `bound`.
double distance_of(const Candidate& candidate, const Evidence& evidence,
                   Index max_rows = std::numeric_limits<Index>::max(),
                   double bound = std::numeric_limits<double>::infinity(), Rows which = Rows::few);

}  // namespace poslab::identify
