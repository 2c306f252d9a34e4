// SPDX-License-Identifier: Apache-2.0
#include "write/groups.hpp"

namespace poslab::results {

void write_expectations(const h5::Handle& file, const std::vector<data::ExpectationResult>& results) {
  using Result = data::ExpectationResult;
  Group group(file, "expectations");
  const CountedColumns columns(group, "expectation", results.size(), "number of the expectation, in the study's order");
  const auto column = [&](const char* name, const Attributes& attributes, const auto& of) {
    columns.add(name, attributes, [&](std::size_t i) { return of(results[i]); });
  };
  const auto real = [&](const char* name, const char* sentence, const auto& of) {
    column(name, {{"long_name", sentence}, {"_FillValue", nan}}, of);
  };
  column("experiment", {{"long_name", "experiment"}}, [](const Result& r) { return r.expectation.experiment; });
  column("measure", {{"long_name", "measure"}}, [](const Result& r) { return r.expectation.measure; });
  column("where", {{"long_name", "which cells it speaks of, as JSON"}},
         [](const Result& r) { return r.expectation.where.to_json(); });
  real("value", "expected value, in the measure's unit", [](const Result& r) { return r.expectation.value; });
  real("tolerance", "greatest absolute difference that holds", [](const Result& r) { return r.expectation.tolerance; });
  column(
      "gate",
      flags_to(data::Gate::at_most, "whether the value is expected within the tolerance, or bounds what is expected"),
      [](const Result& r) { return r.expectation.gate; });
  column("repeats", flags_to(data::OverRepeats::mean, "whether each repeat is judged by itself, or their mean"),
         [](const Result& r) { return r.expectation.repeats; });
  column("minus", {{"long_name", "which cells are subtracted, as JSON; {} for none"}},
         [](const Result& r) { return r.expectation.minus.to_json(); });
  real("measured", "measured value that is furthest from the expected one", [](const Result& r) { return r.measured; });
  real("error", "standard error of the measured value, where it is a mean of repeats",
       [](const Result& r) { return r.error; });
  real("difference", "measured minus expected", [](const Result& r) { return r.measured - r.expectation.value; });
  column("matches", {{"units", "1"}, {"long_name", "cells that it speaks of"}},
         [](const Result& r) { return r.matches; });
  column("verdict", flags_to(data::Verdict::not_measured, "whether it holds"),
         [](const Result& r) { return r.verdict; });
  column("message", {{"long_name", "why not, or a note"}}, [](const Result& r) { return r.message; });
  column("source", {{"long_name", "where the value comes from"}}, [](const Result& r) { return r.expectation.source; });
  column("line", {{"units", "1"}, {"long_name", "line of the study"}},
         [](const Result& r) { return r.expectation.line; });
  group.close();
}

}  // namespace poslab::results
