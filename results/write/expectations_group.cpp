// SPDX-License-Identifier: Apache-2.0
#include "write/expectations_group.hpp"

#include <cmath>
#include <numeric>

#include "poslab/data/expectation.hpp"

namespace poslab::results {
namespace {

using Result = data::ExpectationResult;

// "holds fails not_measured": the words of a flag_meanings attribute are separated by blanks.
template <class E>
std::string meanings_to(E last) {
  std::string meanings;
  for (std::uint8_t value = 0; value <= static_cast<std::uint8_t>(last); ++value) {
    std::string word = data::to_text(static_cast<E>(value));
    for (char& c : word) c = c == ' ' ? '_' : c;
    meanings += (value ? " " : "") + word;
  }
  return meanings;
}

}  // namespace

void write_expectations(const h5::Handle& file, const std::vector<Result>& results) {
  Group group(file, "expectations");
  const auto each = [&](auto of) {
    std::vector<decltype(of(results.front()))> items;
    for (const Result& result : results) items.push_back(of(result));
    return items;
  };
  const auto column = [&](const char* name, const h5::Values& values, const Attributes& attributes) {
    group.variable(name, {"expectation"}, values, attributes);
  };
  std::vector<std::int64_t> numbers(results.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  group.dimension("expectation", numbers,
                  {{"units", "1"}, {"long_name", "number of the expectation, in the study's order"}});
  column("experiment", each([](const Result& r) { return r.expectation.experiment; }), {{"long_name", "experiment"}});
  column("measure", each([](const Result& r) { return r.expectation.measure; }), {{"long_name", "measure"}});
  column("where", each([](const Result& r) { return r.expectation.where.to_json(); }),
         {{"long_name", "which cells it speaks of, as JSON"}});
  column("value", each([](const Result& r) { return r.expectation.value; }),
         {{"long_name", "expected value, in the measure's unit"}, {"_FillValue", nan}});
  column("tolerance", each([](const Result& r) { return r.expectation.tolerance; }),
         {{"long_name", "greatest absolute difference that holds"}, {"_FillValue", nan}});
  column("gate", each([](const Result& r) { return static_cast<std::uint8_t>(r.expectation.gate); }),
         {{"long_name", "whether the value is expected within the tolerance, or bounds what is expected"},
          {"flag_values", std::vector<std::uint8_t>{0, 1, 2}},
          {"flag_meanings", meanings_to(data::Gate::at_most)}});
  column("repeats", each([](const Result& r) { return static_cast<std::uint8_t>(r.expectation.repeats); }),
         {{"long_name", "whether each repeat is judged by itself, or their mean"},
          {"flag_values", std::vector<std::uint8_t>{0, 1}},
          {"flag_meanings", meanings_to(data::OverRepeats::mean)}});
  column("minus", each([](const Result& r) { return r.expectation.minus.to_json(); }),
         {{"long_name", "which cells are subtracted, as JSON; {} for none"}});
  column("measured", each([](const Result& r) { return r.measured; }),
         {{"long_name", "measured value that is furthest from the expected one"}, {"_FillValue", nan}});
  column("error", each([](const Result& r) { return r.error; }),
         {{"long_name", "standard error of the measured value, where it is a mean of repeats"}, {"_FillValue", nan}});
  column("difference", each([](const Result& r) { return r.measured - r.expectation.value; }),
         {{"long_name", "measured minus expected"}, {"_FillValue", nan}});
  column("matches", each([](const Result& r) { return static_cast<std::int64_t>(r.matches); }),
         {{"units", "1"}, {"long_name", "cells that it speaks of"}});
  column("verdict", each([](const Result& r) { return static_cast<std::uint8_t>(r.verdict); }),
         {{"long_name", "whether it holds"},
          {"flag_values", std::vector<std::uint8_t>{0, 1, 2}},
          {"flag_meanings", meanings_to(data::Verdict::not_measured)}});
  column("message", each([](const Result& r) { return r.message; }), {{"long_name", "why not, or a note"}});
  column("source", each([](const Result& r) { return r.expectation.source; }),
         {{"long_name", "where the value comes from"}});
  column("line", each([](const Result& r) { return static_cast<std::int64_t>(r.expectation.line); }),
         {{"units", "1"}, {"long_name", "line of the study"}});
  group.close();
}

}  // namespace poslab::results
