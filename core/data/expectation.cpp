// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/expectation.hpp"

#include <fmt/format.h>

#include <cmath>

#include "poslab/base/text.hpp"

namespace poslab::data {

const char* to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds: return "holds";
    case Verdict::fails: return "fails";
    case Verdict::not_measured: return "not measured";
  }
  return "?";
}

const char* to_text(Gate gate) {
  switch (gate) {
    case Gate::within: return "within";
    case Gate::at_least: return "at_least";
    case Gate::at_most: return "at_most";
  }
  return "?";
}

const char* to_text(OverRepeats over) { return over == OverRepeats::mean ? "mean" : "each"; }

std::string gate_text(const Expectation& expectation) {
  const std::string value = base::shortest(expectation.value);
  switch (expectation.gate) {
    case Gate::within: break;
    case Gate::at_least: return "at least " + value;
    case Gate::at_most: return "at most " + value;
  }
  return expectation.tolerance == 0 ? value : fmt::format("{} ± {}", value, base::shortest(expectation.tolerance));
}

double distance_from(const Expectation& expectation, double measured) {
  // Equal infinities differ by NaN.
  const double difference = measured == expectation.value ? 0 : measured - expectation.value;
  switch (expectation.gate) {
    case Gate::within: break;
    case Gate::at_least: return -difference;
    case Gate::at_most: return difference;
  }
  return std::abs(difference);
}

bool holds(const Expectation& expectation, double measured) {
  return distance_from(expectation, measured) <= (expectation.gate == Gate::within ? expectation.tolerance : 0);
}

}  // namespace poslab::data
