// SPDX-License-Identifier: Apache-2.0
// What a study expects of a measure, and whether it holds.
#pragma once

#include <cstdint>
#include <string>

#include "poslab/data/value.hpp"

namespace poslab::data {

/// A declared value with tolerance and source, and what the run measured for it.
struct Expectation {
  std::string experiment, measure;
  Values where;  ///< axes, parameters, `scheme`, and coordinates of inner dimensions
  double value = 0, tolerance = 0;
  std::string source;
  int line = 0, column = 0;  ///< in the study; 0: nowhere
};

enum class Verdict : std::uint8_t { holds = 0, fails = 1, not_measured = 2 };
const char* to_text(Verdict verdict);

struct ExpectationResult {
  Expectation expectation;
  double measured = 0;  ///< of the matching cell that is furthest from the value; NaN if none was measured
  int matches = 0;      ///< cells that match
  Verdict verdict = Verdict::not_measured;
  std::string message;
};

}  // namespace poslab::data
