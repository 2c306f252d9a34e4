// SPDX-License-Identifier: Apache-2.0
#include "commands/texts.hpp"

#include <fmt/format.h>

#include <cmath>

#include "poslab/base/printable.hpp"
#include "terminal/styled_text.hpp"
#include "text/summary.hpp"

namespace poslab::app {
namespace {

constexpr std::size_t number_columns = 14, subject_columns = page_columns - 3 * (number_columns + 1) - 4;

std::string aligned(const std::string& text) {
  const std::size_t has = display_width(text);
  return std::string(number_columns + 1 > has ? number_columns + 1 - has : 1, ' ') + text;
}

// Six digits are what there is room for; the results file has all.
std::string number(double value) { return fmt::format("{:.6g}", value); }

std::string published(const data::Expectation& expectation) {
  switch (expectation.gate) {
    case data::Gate::at_least: return "≥ " + number(expectation.value);
    case data::Gate::at_most: return "≤ " + number(expectation.value);
    case data::Gate::within: break;
  }
  return number(expectation.value);
}

std::string here(const data::ExpectationResult& result) {
  if (std::isnan(result.measured)) return result.verdict == data::Verdict::not_measured ? "–" : "nan";
  return std::isnan(result.error) ? number(result.measured)
                                  : data::to_text(data::MeanAndError{2, result.measured, result.error}, 4);
}

// With its sign; of a bound how far it is passed on the right side.
std::string difference(const data::ExpectationResult& result) {
  const data::Expectation& expectation = result.expectation;
  const double by = result.measured == expectation.value ? 0 : result.measured - expectation.value;
  if (std::isnan(by)) return "–";
  return expectation.gate == data::Gate::within && expectation.tolerance > 0
             ? fmt::format("{:.1g} of {:.1g}", by, expectation.tolerance)
             : fmt::format("{:.2g}", by);
}

std::string verification_line(const data::ExpectationResult& result) {
  // The subject may need several lines; the numbers stand beside its last one.
  std::string subject = wrapped(base::printable(result.subject), subject_columns, 4);
  subject.pop_back();
  const std::size_t last = subject.rfind('\n');
  const std::size_t used = display_width(last == std::string::npos ? "    " + subject : subject.substr(last + 1));
  std::string line = fmt::format("  {} {}", data::sign_of(result.verdict), subject);
  line += used < subject_columns + 4   ? std::string(subject_columns + 4 - used, ' ')
          : used > subject_columns + 4 ? "\n" + std::string(subject_columns + 4, ' ')
                                       : "";
  line += aligned(published(result.expectation)) + aligned(here(result)) + aligned(difference(result)) + "\n";
  // The row of one that fails has all numbers, and the end of the page names it with its source.
  if (result.verdict != data::Verdict::not_measured) return line;
  return line + "    " + wrapped(base::printable(result.message), page_columns - 4, 4) +
         (result.expectation.source.empty()
              ? ""
              : "    " + wrapped("[" + base::printable(result.expectation.source) + "]", page_columns - 4, 4));
}

std::string part_of(const run::Verification& one) {
  std::string text = "\n" + wrapped(base::printable(one.title), page_columns, 2);
  if (!one.not_run.empty()) return text + "  – not run: " + wrapped(base::printable(one.not_run), page_columns - 13, 4);
  for (const data::ExpectationResult& result : one.expectations) text += verification_line(result);
  return text;
}

// The gate that fails, on one line: "ka6-context: mean share position=0 scheme=rope: 0.31, published 0.25 ± 0.05
// [source]".
std::string failing_line(const run::Verification& one, const data::ExpectationResult& result) {
  const data::Expectation& expectation = result.expectation;
  const std::string source = expectation.source.empty() ? "" : fmt::format(" [{}]", expectation.source);
  return base::printable(fmt::format("  {} {}, {}: {} here, published {}{}", data::sign_of(result.verdict), one.title,
                                     result.subject, here(result), result.expected, source)) +
         "\n";
}

// At the end, where it is seen: a page has hundreds of rows.
std::string failing_text(const std::vector<run::Verification>& all) {
  std::string text;
  for (const run::Verification& one : all)
    for (const data::ExpectationResult& result : one.expectations)
      if (result.verdict == data::Verdict::fails) text += failing_line(one, result);
  return text.empty() ? "" : "\nwhat fails:\n" + text;
}

std::string out_of_reach_text(const std::vector<run::Verification>& all) {
  std::string text;
  for (const run::Verification& one : all)
    for (const study::OutOfReach& known : one.out_of_reach)
      text += "  – " +
              wrapped(base::printable(fmt::format("{}: {}", known.what, known.published)), page_columns - 4, 4) +
              "    " + wrapped(base::printable(known.reason), page_columns - 4, 4);
  return text.empty() ? "" : "\npublished, and out of reach here:\n" + text;
}

std::string closing_text(const std::vector<run::Verification>& all) {
  std::size_t total = 0, hold = 0, fail = 0, studies = 0;
  double seconds = 0;
  for (const run::Verification& one : all) {
    studies += one.not_run.empty();
    seconds += one.seconds;
    total += one.expectations.size();
    for (const data::ExpectationResult& result : one.expectations)
      hold += result.verdict == data::Verdict::holds, fail += result.verdict == data::Verdict::fails;
  }
  std::string text = fmt::format("\n{} of {} known answers hold", hold, total);
  if (fail > 0) text += fmt::format(", {} fail{}", fail, fail == 1 ? "s" : "");
  if (hold + fail < total) text += fmt::format(", {} not measured", total - hold - fail);
  text += fmt::format("; {} {} in {:.0f} s", studies, studies == 1 ? "study" : "studies", seconds);
  if (studies < all.size()) text += fmt::format(", {} not run", all.size() - studies);
  return text + "\n";
}

}  // namespace

std::string verify_text(const std::vector<run::Verification>& all) {
  std::string text =
      std::string(subject_columns + 4, ' ') + aligned("published") + aligned("here") + aligned("difference");
  text += "\n";
  for (const run::Verification& one : all) text += part_of(one);
  return text + out_of_reach_text(all) + failing_text(all) + closing_text(all);
}

}  // namespace poslab::app
