// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "poslab/base/text.hpp"
#include "poslab/data/answer_table.hpp"
#include "poslab/data/mean_and_error.hpp"

namespace poslab::data {
namespace {

std::string values_text(const Values& values) {
  std::string text;
  for (const auto& [name, value] : values) {
    const double* number = std::get_if<double>(&value);  // a coordinate: 8 for 8.0
    text += fmt::format(" {}={}", name, number ? base::shortest(*number) : to_text(value));
  }
  return text;
}

std::string measured_text(const ExpectationResult& result) {
  if (result.verdict == Verdict::not_measured) return no_answer_sign;
  if (std::isnan(result.error)) return base::shortest(result.measured);
  return to_text(MeanAndError{2, result.measured, result.error}, 6);
}

}  // namespace

const char* to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds: return "holds";
    case Verdict::fails: return "fails";
    case Verdict::not_measured: return "not measured";
  }
  return "?";
}

const char* sign_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds: return "✓";
    case Verdict::fails: return "✗";
    case Verdict::not_measured: break;
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

std::string subject_text(const Expectation& expectation) {
  const char* mean = expectation.repeats == OverRepeats::mean ? "mean " : "";
  std::string text = mean + expectation.measure + values_text(expectation.where);
  if (expectation.minus.empty()) return text;
  Values differing;
  for (const auto& [name, value] : expectation.minus)
    if (const Value* here = expectation.where.find(name); !here || *here != value) differing.set(name, value);
  return text + " less that of" + values_text(differing);
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

void set_texts(ExpectationResult& result) {
  result.subject = subject_text(result.expectation);
  result.expected = gate_text(result.expectation);
  result.measured_text = measured_text(result);
}

std::string counts_text(const std::vector<ExpectationResult>& results) {
  const auto count = [&](Verdict verdict) { return std::ranges::count(results, verdict, &ExpectationResult::verdict); };
  std::string text = fmt::format("{} of {} hold", count(Verdict::holds), results.size());
  if (const auto fail = count(Verdict::fails); fail > 0) text += fmt::format(", {} fail{}", fail, fail == 1 ? "s" : "");
  if (const auto open = count(Verdict::not_measured); open > 0) text += fmt::format(", {} not measured", open);
  return text;
}

}  // namespace poslab::data
