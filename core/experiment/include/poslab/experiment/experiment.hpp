// SPDX-License-Identifier: Apache-2.0
// An experiment: a function from (Scheme, axes, draws) to a Record, with its declaration as data. It never catches,
// never prints, never times itself, and knows nothing of files.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/base/random.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/draws.hpp"
#include "poslab/data/kept_array.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/placement.hpp"
#include "poslab/data/record.hpp"
#include "poslab/experiment/attempt.hpp"
#include "poslab/experiment/common_work.hpp"
#include "poslab/experiment/point.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::experiments {

/// Contents of the files that the user gives, by name: those that the experiment needs at this point.
using Files = std::map<std::string, std::string_view>;
const Files& no_files();

/// The input of one cell. `axes` holds every axis, validated, inner ones as lists.
struct ExperimentInput {
  const host::Scheme& scheme;
  const data::Values& axes;
  const data::Draws& draws;
  data::Placement placement = {};  ///< the study's position policy
  Attempt& attempt = unwatched();
  const Files& files = no_files();
  const data::GivenWeights* weights = nullptr;  ///< that take the place of drawn ones, see weights_of
  CommonToSchemes common = {};

  /// Positions first .. first + count - 1 as an [N, 1] array, whatever the policy.
  static base::Array<double> positions(base::Index first, base::Index count);
  /// Positions of the N tokens: [N, A].
  base::Array<double> positions(base::Index N) const { return placement.positions(N, draws); }
};

struct Experiment {
  data::ExperimentInfo info;
  /// Empty, or the sentence with which a cell is skipped: the question means nothing for this scheme at this point.
  /// Called only where `why_not_positions` found nothing.
  std::string (*why_skip)(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement);
  data::Estimate (*estimate)(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement);
  data::Record (*run)(const ExperimentInput& input);
  /// The train_length of the model at this point (an axis of its own, or the length).
  base::Index (*train_length)(const data::Values& axes);
  data::AnswerColumn column = {};
  /// What the cells of a variant at one point answer to the experiment's question; at least one of them is good.
  data::Answer (*answer)(const Point& point) = nullptr;
  /// Names of the files that it needs at this point, among those that `info` declares. Null: none anywhere.
  std::vector<std::string> (*needs)(const data::Values& axes) = nullptr;
  /// Empty, or why what it needs cannot be used ("is empty"; "holds a byte 0 at 17, so it is no text"): asked before
  /// anything runs. Null: anything can.
  std::string (*why_not_files)(const data::Values& axes, const Files& files) = nullptr;
  /// In place of `estimate`, where the estimate depends on the files.
  data::Estimate (*estimate_with_files)(const host::Scheme& scheme, const data::Values& axes,
                                        const data::Placement& placement, const Files& files) = nullptr;
  /// For how many layers it takes weights of the scheme. Null: for one.
  base::Index (*layers)(const data::Values& axes) = nullptr;
};

/// Why a scheme cannot serve the positions of N tokens, or empty: their axes, their range, whether they are whole.
std::string why_not_positions(const host::Scheme& scheme, const data::Placement& placement, base::Index N);
/// The same for given positions [N, A], found by calling the scheme: the reason is the message of its refusal.
std::string why_not_served(const host::Scheme& scheme, base::View<const double> positions);

/// The weights that a cell works with, for `layers` layers: drawn, and in place of drawn ones those that it was given.
/// Throws data::Refused where these do not fit.
host::Weights<double> weights_of(const ExperimentInput& input, base::Index layers);
/// The sentence with which weights_of refuses; empty if they fit.
std::string why_not_weights(const host::Scheme& scheme, const data::GivenWeights& weights, base::Index layers);

/// Whether a weight is random that was not given. `weights` may be null: none was.
bool draws_weights(const host::Scheme& scheme, const data::GivenWeights* weights);
/// What an outcome says of its weights: "untrained weights", the note of those given, or nothing where training would
/// change none.
std::string weights_note(const host::Scheme& scheme, const data::GivenWeights* weights);
/// The same as a fact, of a cell that trains nothing.
data::WeightsState state_of_weights(const host::Scheme& scheme, const data::GivenWeights* weights);

/// `dimension` numbers the tokens; where these numbers are not their positions, the record gets `positions` [N, A] too.
void record_coordinates(data::Record& record, const data::Placement& placement, const std::string& dimension,
                        base::View<const double> positions);

/// All experiments that were built, in order of id. The list is made by CMake from the folders under experiments/:
/// each folder <id> defines `Experiment make_<id with underscores>()` in this namespace.
const std::vector<Experiment>& all_experiments();
const Experiment& find_experiment(const std::string& id);  ///< throws NoSuchExperiment

struct NoSuchExperiment : base::Error {
  explicit NoSuchExperiment(std::string id);
  std::string id;
};

}  // namespace poslab::experiments
