// SPDX-License-Identifier: Apache-2.0
// An experiment: a function from (Scheme, axes, draws) to a Record, with its declaration as data. It never catches,
// never prints, never times itself, and knows nothing of files.
#pragma once

#include <string>
#include <vector>

#include "poslab/base/catalogue.hpp"
#include "poslab/base/cell.hpp"
#include "poslab/base/placement.hpp"
#include "poslab/base/random.hpp"
#include "poslab/base/record.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::experiments {

/// What one cell is given. `axes` holds every axis, validated, inner ones as lists.
struct Trial {
  const host::Scheme& scheme;
  const base::Values& axes;
  const base::Draws& draws;
  base::Placement placement = {};  ///< where the tokens stand: the study's position policy

  /// Positions first .. first + count - 1 as an [N, 1] array, whatever the policy.
  static base::Array<double> positions(base::Index first, base::Index count);
  /// Positions of the N tokens: [N, A].
  base::Array<double> positions(base::Index N) const { return placement.positions(N, draws); }
};

struct Experiment {
  base::ExperimentInfo info;
  /// Empty, or the sentence with which a cell is skipped: the question means nothing for this scheme at this point.
  /// Asked where `why_not_placed` had nothing against it.
  std::string (*why_skip)(const host::Scheme& scheme, const base::Values& axes, const base::Placement& placement);
  base::Estimate (*estimate)(const host::Scheme& scheme, const base::Values& axes, const base::Placement& placement);
  base::Record (*run)(const Trial& trial);
  /// The train_length of the model at this point (an axis of its own, or the length).
  base::Index (*train_length)(const base::Values& axes);
};

/// Why a scheme cannot serve the positions of N tokens, or empty: their axes, their range, whether they are whole.
std::string why_not_placed(const host::Scheme& scheme, const base::Placement& placement, base::Index N);
/// The same for given positions [N, A], which the scheme is asked to serve: what it refuses is what it says.
std::string why_not_served(const host::Scheme& scheme, base::View<const double> positions);

/// `dimension` counts the tokens; where its numbers do not say where they stand, `positions` [N, A] do.
void record_places(base::Record& record, const base::Placement& placement, const std::string& dimension,
                   base::View<const double> positions);

/// All experiments that were built, in order of id. The list is made by CMake from the folders under experiments/:
/// each folder <id> defines `Experiment make_<id with underscores>()` in this namespace.
const std::vector<Experiment>& all_experiments();
const Experiment& find_experiment(const std::string& id);  ///< throws base::Error with a did-you-mean

}  // namespace poslab::experiments
