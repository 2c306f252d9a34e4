// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/expectations.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "poslab/base/text.hpp"
#include "poslab/spec/plan.hpp"

namespace poslab::run {
namespace {

bool asks_for_another(const base::Values& where, const std::string& name, double here) {
  const base::Value* wanted = where.find(name);
  return wanted && !std::holds_alternative<std::vector<double>>(*wanted) && base::number(*wanted, name) != here;
}

// Whether the `flat`-th value of a curve lies at the coordinates, and at the places on a grid, that `where` asks for.
bool at_place(const base::Measurement& measurement, const base::Record& record, std::size_t flat,
              const base::Values& where) {
  for (std::size_t axis = measurement.dimensions.size(); axis-- > 0;) {
    const std::string& dimension = measurement.dimensions[axis];
    const base::Coordinate& coordinate = *record.coordinate_of(dimension);
    const std::size_t point = flat % coordinate.values.size();
    flat /= coordinate.values.size();
    if (asks_for_another(where, dimension, coordinate.values[point])) return false;
    for (const base::Place& place : record.places())
      if (place.dimension == dimension && asks_for_another(where, dimension + "_" + place.axis, place.values[point]))
        return false;
  }
  return true;
}

// Takes in every value of one cell that the expectation speaks of.
void take(const base::Record& record, base::ExpectationResult& result, int& values) {
  const base::Measurement* measurement = record.measurement(result.expectation.measure);
  if (!measurement) return;
  for (std::size_t i = 0; i < measurement->values.size(); ++i) {
    if (!at_place(*measurement, record, i, result.expectation.where)) continue;
    const double value = measurement->values[i];
    const double expected = result.expectation.value;
    // A NaN is further than anything, and stays so: nothing is further than it.
    const bool further = std::isnan(value) || std::abs(value - expected) > std::abs(result.measured - expected);
    if (values++ == 0 || further) result.measured = value;
  }
}

base::ExpectationResult judge_one(const base::Expectation& expectation, const std::vector<base::Cell>& cells,
                                  const OutcomeOf& outcome_of) {
  base::ExpectationResult result{expectation, std::numeric_limits<double>::quiet_NaN(), 0, base::Verdict::not_measured,
                                 ""};
  int values = 0, measured = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].experiment != expectation.experiment || !spec::matches(expectation.where, cells[i])) continue;
    ++result.matches;
    const base::Outcome* outcome = outcome_of(i);
    if (!outcome || outcome->status != base::Status::ok) {
      result.message = outcome ? outcome->message : "the run was interrupted before";
      continue;
    }
    ++measured;
    take(outcome->record, result, values);
  }
  if (measured < result.matches || values == 0) {
    if (result.message.empty()) result.message = "the measure has no value there";
    return result;
  }
  const bool holds =
      std::abs(result.measured - expectation.value) <= expectation.tolerance || result.measured == expectation.value;
  result.verdict = holds ? base::Verdict::holds : base::Verdict::fails;
  if (!holds)
    result.message = fmt::format("measured {}, expected {} within {}", base::shortest(result.measured),
                                 base::shortest(expectation.value), base::shortest(expectation.tolerance));
  return result;
}

}  // namespace

std::vector<base::ExpectationResult> judge(const std::vector<base::Expectation>& expectations,
                                           const std::vector<base::Cell>& cells, const OutcomeOf& outcome_of) {
  std::vector<base::ExpectationResult> results;
  for (const base::Expectation& expectation : expectations)
    results.push_back(judge_one(expectation, cells, outcome_of));
  return results;
}

}  // namespace poslab::run
