// SPDX-License-Identifier: Apache-2.0
// What memory keeps of each outcome while a run goes on, and how the run ends by them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/outcome.hpp"

namespace poslab::run {

/// An outcome without its curves.
struct OutcomeSummary {
  data::Status status = data::Status::ok;
  std::string message;
  std::vector<double> last;  ///< of each measure of the experiment its last value, NaN if it has none; only if ok
  std::vector<double> at;    ///< the coordinate of each of these along its first dimension, NaN if it has none
  data::WeightsState weights = data::WeightsState::none;
  std::vector<double> first = {};  ///< of each measure its first value, where `last` has its last

  std::string trained() const;  ///< what it says of weights that are not as they were drawn; empty: nothing
};
OutcomeSummary summarise(const data::Outcome& outcome, const data::ExperimentInfo& info);

/// By index in the plan; nothing: the cell was not performed.
using OutcomeSummaries = std::vector<std::optional<OutcomeSummary>>;

enum class Ending {
  complete,
  expectation_failed,
  cells_failed,        ///< the results file is complete and names them
  stopped_at_failure,  ///< by --fail-fast; the results file lacks cells
  interrupted,         ///< the results file lacks cells
  not_written          ///< the journal or the results file could not be written: what is done is in the journal
};

/// How a run ends in which every cell has an outcome. Expectations of a shard are not judged, and so do not count.
Ending ending_of(const OutcomeSummaries& outcomes, const std::vector<data::ExpectationResult>& expectations,
                 bool is_shard);

}  // namespace poslab::run
