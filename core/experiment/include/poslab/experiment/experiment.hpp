// SPDX-License-Identifier: Apache-2.0
// An experiment: a function from (Scheme, axes, draws) to a Record, with its declaration as data. It never catches,
// never prints, never times itself, and knows nothing of files.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/base/random.hpp"
#include "poslab/base/refusal.hpp"
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
#include "poslab/host/layer_schemes.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::experiments {

/// Contents of the files that the user gives, by name: those that the experiment needs at this point.
using Files = std::map<std::string, std::string_view>;
const Files& no_files();

/// The input of one cell. `axes` holds every axis, validated, inner ones as lists.
struct ExperimentInput {
  const host::Scheme& scheme;  ///< of a mixed variant that of layer 0
  const data::Values& axes;
  const data::Draws& draws;
  data::Placement placement = {};  ///< the study's position policy
  Attempt& attempt = unwatched();
  const Files& files = no_files();
  const data::GivenWeights* weights = nullptr;  ///< that take the place of drawn ones, see weights_of
  CommonToSchemes common = {};
  const host::LayerSchemes* mixed = nullptr;    ///< of a mixed variant: what its layers have
  const data::GivenNetwork* network = nullptr;  ///< a trained one; `weights` are then those of its scheme

  /// What each layer of a stack has.
  host::LayerSchemes layers() const { return mixed ? *mixed : host::LayerSchemes(scheme); }
  /// The same cell on other draws, which outlive what is returned. What cells of other schemes have computed was
  /// computed on the cell's own, so that it has none of that.
  ExperimentInput on(const data::Draws& other) const {
    return {scheme, axes, other, placement, attempt, files, weights, {}, mixed, network};
  }
  /// The same cell watched by another, which outlives what is returned.
  ExperimentInput watched_by(Attempt& other) const {
    return {scheme, axes, draws, placement, other, files, weights, common, mixed, network};
  }
  /// Positions first .. first + count - 1 as an [N, 1] array, whatever the policy.
  static base::Array<double> positions(base::Index first, base::Index count);
  /// Positions of the N tokens: [N, A].
  base::Array<double> positions(base::Index N) const { return placement.positions(N, draws); }
};

/// What a cell is asked of, as far as it is known before it runs.
struct Setting {
  const host::Scheme& scheme;  ///< of a mixed variant that of layer 0
  const data::Placement& placement;
  const Files& files = no_files();
  const host::LayerSchemes* mixed = nullptr;    ///< of a mixed variant: what its layers have
  const data::GivenNetwork* network = nullptr;  ///< a trained one, if it is given one

  /// What each layer of a stack has.
  host::LayerSchemes layers() const { return mixed ? *mixed : host::LayerSchemes(scheme); }
  /// Why the scheme of some layer does not serve the positions of so many tokens.
  std::optional<base::Refusal> why_not_length(base::Index length) const;
  /// The same, or that it means nothing under the mask.
  std::optional<base::Refusal> why_not_attended(bool causal, base::Index length) const;
};

class Output;  // measure.hpp

/// Base of the struct of an experiment, which has its axes as members: an object is the experiment at one point of
/// them. definition.hpp says what the struct has besides.
class Definition {
 public:
  Definition() = default;
  Definition(const Definition&) = default;
  Definition& operator=(const Definition&) = default;
  virtual ~Definition() = default;

  /// Nothing, or the sentence with which a cell is skipped: the question means nothing for this scheme at this point.
  /// Called only where `why_not_positions` found nothing.
  virtual std::optional<base::Refusal> why_skip(const Setting&) const { return std::nullopt; }
  virtual data::Estimate estimate(const Setting&) const = 0;
  virtual void run(const ExperimentInput&, Output&) const = 0;
  /// The train_length of the model at this point: an axis of its own, or the length.
  virtual base::Index model_train_length() const = 0;
  /// For how many layers it takes weights of the scheme.
  virtual base::Index scheme_layers() const { return 1; }
  /// Whether its layers may have different schemes: then it asks for `layers()` wherever it looks at schemes. Other
  /// experiments look at one scheme, and never see a mixed variant.
  virtual bool takes_mixed() const { return false; }
  /// Whether it trains a network.
  virtual bool trains() const { return false; }
  /// Whether a trained network that is given takes the place of what it draws; elsewhere only the weights of the
  /// network's scheme count.
  virtual bool takes_network() const { return trains(); }
  /// Nothing, or why the network that is given is none for this point, whose axes are `axes`. Asked only where it takes
  /// one, and one is given.
  virtual std::optional<base::Refusal> why_not_network(const Setting&, const data::Values& /*axes*/) const {
    return std::nullopt;
  }
  /// What the cells of a variant at this point answer to the experiment's question; at least one of them is good.
  virtual data::Answer answer(const Point&) const { return {}; }
  /// Whether the repeats of a cell have work in common, on draws of none of them: they are then performed in one place,
  /// one of them before all others, which begin with what `head_start` makes of its record.
  virtual bool shares_work() const { return false; }
  /// A checkpoint for the other repeats: what they have in common, done. Their numbers are the same without it.
  virtual std::string head_start(const data::Record&) const { return ""; }
  /// The same of a checkpoint that a repeat has kept, which may fail later; empty: what they share is not done yet.
  /// Throws data::NotPacked for bytes that are none.
  virtual std::string head_start_of(std::string_view /*checkpoint*/) const { return ""; }
  /// Names of the files that it needs at this point, among those that it declares.
  virtual std::vector<std::string> needs() const { return {}; }
  /// Nothing, or why what it needs cannot be used ("is empty"; "holds a byte 0 at 17, so it is no text"): asked before
  /// anything runs.
  virtual std::optional<base::Refusal> why_not_files(const Files&) const { return std::nullopt; }
};

/// As the rest of poslab has it.
struct Experiment {
  data::ExperimentInfo info;
  /// At this point: every axis, validated.
  std::unique_ptr<const Definition> (*at)(const data::Values& axes);
  bool answers = false;
  data::AnswerColumn column = {};  ///< where it answers

  data::Record run(const ExperimentInput& input) const;
  data::Answer answer(const Point& point) const { return at(point.axes)->answer(point); }
};

/// Why a scheme cannot serve the positions of N tokens: their axes, their range, whether they are whole.
std::optional<base::Refusal> why_not_positions(const host::Scheme& scheme, const data::Placement& placement,
                                               base::Index N);
/// The same for given positions [N, A], found by calling the scheme: the reason is the message of its refusal.
std::optional<base::Refusal> why_not_served(const host::Scheme& scheme, base::View<const double> positions);

/// The weights that a cell works with, for `layers` layers: drawn, and in place of drawn ones those that it was given.
/// Throws data::Refused where these do not fit.
host::Weights<double> weights_of(const ExperimentInput& input, base::Index layers);
/// The same for a stack whose layers may have different schemes. Of a mixed variant an array is given for the layer
/// that has it, as `<weight>/<layer>`, or for the first of those that share it.
host::LayerWeights<double> layer_weights_of(const ExperimentInput& input, base::Index layers);
/// The sentence with which these refuse.
std::optional<base::Refusal> why_not_weights(const host::LayerSchemes& schemes, const data::GivenWeights& weights,
                                             base::Index layers);

/// Whether a weight is random that was not given. `weights` may be null: none was.
bool draws_weights(const host::LayerSchemes& schemes, const data::GivenWeights* weights);
/// What an outcome says of its weights: "untrained weights", the note of those given, or nothing where training would
/// change none.
std::string weights_note(const host::LayerSchemes& schemes, const data::GivenWeights* weights);
/// The same as a fact, of a cell that trains nothing.
data::WeightsState state_of_weights(const host::LayerSchemes& schemes, const data::GivenWeights* weights);

/// `dimension` numbers the tokens; where these numbers are not their positions, the record gets `positions` [N, A] too.
void record_coordinates(data::Record& record, const data::Placement& placement, const std::string& dimension,
                        base::View<const double> positions);

/// All experiments that were built, in order of id. The list is made by CMake from the folders under experiments/:
/// each folder <id> defines `Experiment make_<id with underscores>()` in this namespace.
const std::vector<Experiment>& all_experiments();
const Experiment& find_experiment(const std::string& id);  ///< throws base::Error

}  // namespace poslab::experiments
