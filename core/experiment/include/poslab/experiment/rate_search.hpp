// SPDX-License-Identifier: Apache-2.0
// A cell that trains looks for its learning rate first: it trains a network with each rate of a grid, on draws that no
// repeat has, and takes the rate whose held-out loss is lowest. All repeats of a cell find the same one, and the first
// of them looks for all: what it has found it keeps as a checkpoint, which outlives it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "poslab/data/record.hpp"
#include "poslab/experiment/attempt.hpp"
#include "poslab/experiment/measure.hpp"
#include "poslab/experiment/training_definition.hpp"
#include "poslab/experiment/training_run.hpp"

namespace poslab::experiments {

/// What a search for a learning rate found. Without one: the only rate, with a loss that is NaN.
struct RateSearch {
  std::vector<double> rates;   ///< tried, rising
  std::vector<double> losses;  ///< held-out loss at the end, mean over the seeds; infinite where one of them diverged

  void add(double rate, double loss);
  /// The rate of the lowest loss, the lowest among equals. All must not have diverged.
  double chosen() const;
  bool has_diverged_everywhere() const;  ///< infinite losses
  /// Where the best rate is the lowest or highest of several, the next beyond it by the ratio of the two outermost; the
  /// next below the lowest if all diverged; NaN where the best lies between others, or is the only one.
  double rate_beyond() const;
};

/// Trainings of a search at most, in which an edge of the grid is extended once.
base::Index max_search_trainings(const TrainingDefinition& at);

/// A cell of several trainings, one after the other: what it found in its search, and the attempt at what follows.
class SearchedCell {
 public:
  /// The cell after its search.
  ExperimentInput input;
  RateSearch search;

 private:
  template <class S>
  friend SearchedCell search_rate(const TrainingDefinition&, const ExperimentInput&,
                                  const std::function<TrainingPlan(const ExperimentInput&)>&);
  SearchedCell(const ExperimentInput& input_, RateSearch search_, std::unique_ptr<Attempt> attempt)
      : input(input_), search(std::move(search_)), attempt_(std::move(attempt)) {}
  std::unique_ptr<Attempt> attempt_;
};

/// Searches as `at` says; `plan_of` is the training of a cell on the draws of its input. Throws training::Diverged if
/// the only rate diverges, base::Error if all do.
template <class S>
SearchedCell search_rate(const TrainingDefinition& at, const ExperimentInput& input,
                         const std::function<TrainingPlan(const ExperimentInput&)>& plan_of);

/// The measures of a search.
void record_search(const RateSearch& search, Output& out);
/// A checkpoint with which a repeat begins whose search another one has made.
std::string searched(const data::Record& record);
/// The same of a checkpoint of that one, kept once its search has ended; empty before. Throws data::NotPacked.
std::string searched(std::string_view checkpoint);

}  // namespace poslab::experiments
