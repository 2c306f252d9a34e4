// SPDX-License-Identifier: Apache-2.0
#include "text/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/value.hpp"

namespace poslab::app {
namespace {

std::string text_of(const data::Values& where) {
  std::string text;
  for (const auto& [name, value] : where) {
    const double* number = std::get_if<double>(&value);  // of a coordinate: 8 for 8.0
    text += fmt::format(" {}={}", name, number ? base::shortest(*number) : data::to_text(value));
  }
  return text;
}

// "0.5", or "0.5 ± 0.01" where it is a mean of repeats.
std::string measured_text(const data::ExpectationResult& result) {
  const std::string value = base::shortest(result.measured);
  return std::isnan(result.error) ? value : data::to_text(data::MeanAndError{2, result.measured, result.error}, 6);
}

std::string expectation_line(const data::ExpectationResult& result) {
  const data::Expectation& expectation = result.expectation;
  const std::string what = result.verdict == data::Verdict::holds
                               ? fmt::format("{} (expected {})", measured_text(result), data::gate_text(expectation))
                               : result.message;
  std::string line =
      fmt::format("  {} {} {}: {}", sign_of(result.verdict), expectation.experiment, subject_text(expectation), what);
  if (!expectation.source.empty()) line += fmt::format(" [{}]", expectation.source);
  return base::printable(line) + "\n";
}

}  // namespace

const char* sign_of(data::Verdict verdict) {
  switch (verdict) {
    case data::Verdict::holds: return "✓";
    case data::Verdict::fails: return "✗";
    case data::Verdict::not_measured: break;
  }
  return "?";
}

std::string subject_text(const data::Expectation& expectation) {
  const char* mean = expectation.repeats == data::OverRepeats::mean ? "mean " : "";
  std::string text = mean + expectation.measure + text_of(expectation.where);
  // Only what differs: the rest is the same.
  data::Values other;
  for (const auto& [name, value] : expectation.minus)
    if (const data::Value* here = expectation.where.find(name); !here || *here != value) other.set(name, value);
  if (!expectation.minus.empty()) text += fmt::format(" less that of{}", text_of(other));
  return text;
}

std::string expectations_text(const std::vector<data::ExpectationResult>& expectations, bool verbose) {
  if (expectations.empty()) return "";
  const auto count = [&](data::Verdict verdict) {
    return std::ranges::count(expectations, verdict, &data::ExpectationResult::verdict);
  };
  std::string text = fmt::format("\nexpectations: {} of {} hold", count(data::Verdict::holds), expectations.size());
  if (const auto fail = count(data::Verdict::fails); fail > 0)
    text += fmt::format(", {} fail{}", fail, fail == 1 ? "s" : "");
  if (const auto open = count(data::Verdict::not_measured); open > 0) text += fmt::format(", {} not measured", open);
  text += "\n";
  for (const data::ExpectationResult& result : expectations)
    if (verbose || result.verdict != data::Verdict::holds) text += expectation_line(result);
  return text;
}

}  // namespace poslab::app
