// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/outcome_summary.hpp"

#include <algorithm>
#include <limits>

namespace poslab::run {

std::string OutcomeSummary::trained() const {
  const bool is_trained = weights == data::WeightsState::trained || weights == data::WeightsState::given;
  return status == data::Status::ok && is_trained ? message : "";
}

OutcomeSummary summarise(const data::Outcome& outcome, const data::ExperimentInfo& info) {
  OutcomeSummary summary{outcome.status, outcome.message, {}, {}, outcome.weights, {}};
  if (outcome.status != data::Status::ok) return summary;
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (const data::MeasureInfo& measure : info.measures) {
    const data::Measurement* measurement = outcome.record.measurement(measure.name);
    const bool has_values = measurement && !measurement->values.empty();
    const data::Coordinate* along =
        has_values && !measure.dimensions.empty() ? outcome.record.coordinate_of(measure.dimensions.front()) : nullptr;
    summary.first.push_back(has_values ? measurement->values.front() : none);
    summary.last.push_back(has_values ? measurement->values.back() : none);
    summary.at.push_back(along && !along->values.empty() ? along->values.back() : none);
  }
  return summary;
}

Ending ending_of(const OutcomeSummaries& outcomes, const std::vector<data::ExpectationResult>& expectations,
                 bool is_shard) {
  if (std::any_of(outcomes.begin(), outcomes.end(),
                  [](const auto& outcome) { return data::is_failure(outcome->status); }))
    return Ending::cells_failed;
  const bool all_hold = std::all_of(expectations.begin(), expectations.end(),
                                    [](const auto& result) { return result.verdict == data::Verdict::holds; });
  return all_hold || is_shard ? Ending::complete : Ending::expectation_failed;
}

}  // namespace poslab::run
