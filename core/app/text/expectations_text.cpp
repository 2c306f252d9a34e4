// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "poslab/base/printable.hpp"
#include "text/summary.hpp"

namespace poslab::app {
namespace {

std::string expectation_line(const data::ExpectationResult& result) {
  const std::string what = result.verdict == data::Verdict::holds
                               ? fmt::format("{} (expected {})", result.measured_text, result.expected)
                               : result.message;
  std::string line =
      fmt::format("  {} {} {}: {}", data::sign_of(result.verdict), result.expectation.experiment, result.subject, what);
  if (!result.expectation.source.empty()) line += fmt::format(" [{}]", result.expectation.source);
  return base::printable(line) + "\n";
}

}  // namespace

std::string expectations_text(const std::vector<data::ExpectationResult>& expectations, bool verbose) {
  if (expectations.empty()) return "";
  std::string text = "\nexpectations: " + data::counts_text(expectations) + "\n";
  for (const data::ExpectationResult& result : expectations)
    if (verbose || result.verdict != data::Verdict::holds) text += expectation_line(result);
  return text;
}

}  // namespace poslab::app
