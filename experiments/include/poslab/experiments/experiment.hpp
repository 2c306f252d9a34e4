// SPDX-License-Identifier: Apache-2.0
// An experiment: a function from (Scheme, axes, draws) to a Record, with its declaration as data. It never catches,
// never prints, never times itself, and knows nothing of files.
#pragma once

#include <string>
#include <vector>

#include "poslab/base/catalogue.hpp"
#include "poslab/base/cell.hpp"
#include "poslab/base/random.hpp"
#include "poslab/base/record.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::experiments {

/// What one cell is given. `axes` holds every axis, validated, inner ones as lists.
struct Trial {
  const host::Scheme& scheme;
  const base::Values& axes;
  const base::Draws& draws;

  /// Positions first .. first + count - 1 as an [N, 1] array.
  static base::Array<double> positions(base::Index first, base::Index count);
};

struct Experiment {
  base::ExperimentInfo info;
  /// Empty, or the sentence with which a cell is skipped: the question means nothing for this scheme at this point.
  std::string (*why_skip)(const host::Scheme& scheme, const base::Values& axes);
  base::Estimate (*estimate)(const host::Scheme& scheme, const base::Values& axes);
  base::Record (*run)(const Trial& trial);
  /// The train_length of the model at this point (an axis of its own, or the length).
  base::Index (*train_length)(const base::Values& axes);
};

/// All experiments that were built, in order of id. The list is made by CMake from the folders under experiments/:
/// each folder <id> defines `Experiment make_<id with underscores>()` in this namespace.
const std::vector<Experiment>& all_experiments();
const Experiment& find_experiment(const std::string& id);  ///< throws base::Error with a did-you-mean

}  // namespace poslab::experiments
