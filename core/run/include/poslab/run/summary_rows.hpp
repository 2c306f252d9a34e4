// SPDX-License-Identifier: Apache-2.0
// What the table at the end of a run holds: a row for a variant at one point of the outer axes, with all its repeats.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/mean_and_error.hpp"
#include "poslab/run/outcome_summary.hpp"

namespace poslab::run {

struct SummaryRow {
  const data::Cell* cell;
  std::vector<const OutcomeSummary*> outcomes;  ///< of its repeats
  bool is_measured() const;
  bool is_untrained() const;    ///< its weights are as drawn
  std::string trained() const;  ///< what it says of weights that are not; empty: nothing
};

/// The rows of one experiment, in plan order. They point into both arguments.
std::vector<SummaryRow> rows_of(const std::vector<data::Cell>& cells, const OutcomeSummaries& outcomes,
                                const std::string& experiment);
/// Where there are more than `most` rows, each variant's last that was measured.
std::vector<SummaryRow> last_points(const std::vector<SummaryRow>& rows, std::size_t most);

/// Over the repeats that have a value; `measure` by its index among those of the experiment.
data::MeanAndError mean_and_error(const SummaryRow& row, std::size_t measure);

/// The same of each curve's first value in place of its last.
data::MeanAndError mean_and_error_of_first(const SummaryRow& row, std::size_t measure);

/// Where the last value of a curve stands along its dimension; NaN of scalars, and where there is no value.
double last_coordinate(const SummaryRow& row, std::size_t measure);

/// Names of outer axes that take more than one value in these rows.
std::vector<std::string> varying_axes(const std::vector<SummaryRow>& rows);
/// By their index among those of the experiment: scalars, and curves over one inner axis by their last value, that have
/// a value somewhere. Curves over positions are not among them.
std::vector<std::size_t> shown_measures(const data::ExperimentInfo& info, const std::vector<SummaryRow>& rows);

}  // namespace poslab::run
