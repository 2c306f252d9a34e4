// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/expectations.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "poslab/base/text.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/study/plan.hpp"

namespace poslab::run {
namespace {

bool asks_for_another(const data::Values& where, const std::string& name, double here) {
  const data::Value* wanted = where.find(name);
  return wanted && !std::holds_alternative<std::vector<double>>(*wanted) && data::number(*wanted, name) != here;
}

// Whether the `flat`-th value of a curve lies at the coordinates, and at the places on a grid, that `where` asks for.
bool at_place(const data::Measurement& measurement, const data::Record& record, std::size_t flat,
              const data::Values& where) {
  for (std::size_t axis = measurement.dimensions.size(); axis-- > 0;) {
    const std::string& dimension = measurement.dimensions[axis];
    const data::Coordinate& coordinate = *record.coordinate_of(dimension);
    const std::size_t point = flat % coordinate.values.size();
    flat /= coordinate.values.size();
    if (asks_for_another(where, dimension, coordinate.values[point])) return false;
    for (const data::PositionCoordinate& place : record.position_coordinates())
      if (place.dimension == dimension && asks_for_another(where, dimension + "_" + place.axis, place.values[point]))
        return false;
  }
  return true;
}

// Takes in every value of one cell that the expectation speaks of.
void take(const data::Record& record, data::ExpectationResult& result, int& values) {
  const data::Measurement* measurement = record.measurement(result.expectation.measure);
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

// An expectation on its way through the cells.
struct Judgement {
  data::ExpectationResult result;
  int values = 0, measured = 0;
  explicit Judgement(const data::Expectation& expectation)
      : result{expectation, std::numeric_limits<double>::quiet_NaN(), 0, data::Verdict::not_measured, ""} {}

  bool concerns(const data::Cell& cell) const {
    return cell.experiment == result.expectation.experiment && study::matches(result.expectation.where, cell);
  }
  void look_at(const std::optional<data::Outcome>& outcome) {
    ++result.matches;
    if (!outcome || outcome->status != data::Status::ok) {
      result.message = outcome ? outcome->message : "the run was interrupted before";
      return;
    }
    ++measured;
    take(outcome->record, result, values);
  }
  void conclude() {
    if (measured < result.matches || values == 0) {
      if (result.message.empty()) result.message = "the measure has no value there";
      return;
    }
    const data::Expectation& expectation = result.expectation;
    const bool holds =
        std::abs(result.measured - expectation.value) <= expectation.tolerance || result.measured == expectation.value;
    result.verdict = holds ? data::Verdict::holds : data::Verdict::fails;
    if (!holds)
      result.message = fmt::format("measured {}, expected {} within {}", base::shortest(result.measured),
                                   base::shortest(expectation.value), base::shortest(expectation.tolerance));
  }
};

}  // namespace

std::vector<data::ExpectationResult> judge(const std::vector<data::Expectation>& expectations,
                                           const std::vector<data::Cell>& cells, const OutcomeOf& outcome_of) {
  std::vector<Judgement> judgements(expectations.begin(), expectations.end());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::optional<std::optional<data::Outcome>> outcome;  // asked for if anybody wants it, and once
    for (Judgement& judgement : judgements) {
      if (!judgement.concerns(cells[i])) continue;
      if (!outcome) outcome = outcome_of(i);
      judgement.look_at(*outcome);
    }
  }
  std::vector<data::ExpectationResult> results;
  for (Judgement& judgement : judgements) {
    judgement.conclude();
    results.push_back(std::move(judgement.result));
  }
  return results;
}

}  // namespace poslab::run
