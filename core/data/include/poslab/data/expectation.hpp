// SPDX-License-Identifier: Apache-2.0
// What a study expects of a measure, and whether it holds.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "poslab/data/value.hpp"

namespace poslab::data {

/// How a measured value is held against the declared one.
enum class Gate : std::uint8_t { within = 0, at_least = 1, at_most = 2, last = at_most };
const char* to_text(Gate gate);  ///< "within", "at_least", "at_most"

/// What is judged where cells have repeats: each by itself, or their mean.
enum class OverRepeats : std::uint8_t { each = 0, mean = 1, last = mean };
const char* to_text(OverRepeats over);  ///< "each", "mean"

/// A declared value with tolerance and source.
struct Expectation {
  std::string experiment, measure;
  Values where;                     ///< axes, parameters, `scheme`, and coordinates of inner dimensions
  double value = 0, tolerance = 0;  ///< tolerance: of `within` only
  std::string source;
  int line = 0, column = 0;  ///< in the study; 0: nowhere
  Gate gate = Gate::within;
  OverRepeats repeats = OverRepeats::each;
  Values minus = {};  ///< the cells, like `where`, whose values are subtracted; empty: none are
};

/// "1.88 ± 0.05", "at least 0.98", "at most 1.03".
std::string gate_text(const Expectation& expectation);
/// Which values it speaks of: "mean rise_shifted scheme=learned shift=64 less that of scheme=none".
std::string subject_text(const Expectation& expectation);
/// How far a value lies from what is expected: the absolute difference, or how far it is on the wrong side of a bound
/// (negative: on the right one). NaN of NaN.
double distance_from(const Expectation& expectation, double measured);
bool holds(const Expectation& expectation, double measured);

enum class Verdict : std::uint8_t { holds = 0, fails = 1, not_measured = 2 };
const char* to_text(Verdict verdict);
const char* sign_of(Verdict verdict);  ///< ✓, ✗ or ?

struct ExpectationResult {
  Expectation expectation;
  double measured = 0;  ///< what lies furthest from the value; NaN if nothing was measured
  int matches = 0;      ///< cells that match
  Verdict verdict = Verdict::not_measured;
  std::string message;
  double error =
      std::numeric_limits<double>::quiet_NaN();  ///< standard error of `measured`, if it is a mean of repeats
  // Made by `set_texts`, and stored:
  std::string subject = {};        ///< see subject_text
  std::string expected = {};       ///< see gate_text
  std::string measured_text = {};  ///< "0.5", "0.5 ± 0.01" of a mean of repeats, "–" where nothing was measured
};
void set_texts(ExpectationResult& result);

/// "5 of 7 hold, 1 fails, 1 not measured".
std::string counts_text(const std::vector<ExpectationResult>& results);

}  // namespace poslab::data
