// SPDX-License-Identifier: Apache-2.0
// The cells of a plan: which experiment with which scheme, and what it may need. Planned by `study`, run by `workers`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "poslab/base/refusal.hpp"
#include "poslab/data/placement.hpp"
#include "poslab/data/value.hpp"

namespace poslab::data {

/// What a layer of a mixed variant has.
struct LayerVariant {
  std::string scheme;  ///< id
  Values parameters;   ///< all of them, in declared order
  bool operator==(const LayerVariant&) const = default;
};

/// A scheme with all its parameters fixed.
struct Variant {
  std::string scheme;  ///< id
  std::string label;   ///< `rope`, or `rope(style=interleaved)`: what the study sets or varies, in its order
  Values parameters;   ///< all of them, in declared order
  std::vector<std::string> varied;  ///< names of those that the study sets or varies anywhere
  /// What layers have, of a mixed one (mixed.hpp): layer l entry l modulo their number. Empty: each has `scheme`.
  std::vector<LayerVariant> layers = {};
  bool operator==(const Variant&) const = default;
};

/// The ids of its schemes, each once, in order of their layers.
std::vector<std::string> schemes_of(const Variant& variant);

/// What the user gives to a cell beside its study, by the hash of the contents.
struct Given {
  std::string name;  ///< of a file (`text`), `weights` or `network`
  std::string hash;  ///< base::sha256, hex
  bool operator==(const Given&) const = default;
};
/// The names under which weights of a scheme and a whole network are given: no file of an experiment has them.
inline constexpr const char *given_weights = "weights", *given_network = "network";

/// The unit of work, of failure and of resume.
struct Cell {
  std::string id;          ///< 32 hex digits: a hash of what it is, of nothing that a rebuild changes
  std::string experiment;  ///< id
  Variant variant;
  Values axes;  ///< `d_model`, `heads`, then the experiment's outer axes in declared order, then the inner ones (lists)
  std::uint64_t seed = 0;  ///< of the study
  int repeat = 0;
  std::optional<base::Refusal> skip = {};  ///< planned as skipped, for this reason
  Placement placement;                     ///< positions of its tokens
  std::vector<Given> given = {};
  /// Its repeats share work, which the first of them does for all: they stay in one shard. For planning: a worker
  /// never asks.
  bool shares_work = false;
  const Given* find_given(const std::string& name) const;
};

/// The identity of a cell, from experiment id and version, scheme id and version, parameters, axes, seed and repeat,
/// from its placement if that is not plain, and from what is given to it.
std::string identity(const Cell& cell, const std::string& experiment_version, const std::string& scheme_version);

/// "length=4096 d_model=512 heads=8": the outer axes of a cell.
std::string outer_axes_text(const Cell& cell);
/// "uniqueness of rope length=8 d_model=64 ...": with all axes.
std::string full_text(const Cell& cell);

/// What a cell needs, guessed before it runs: alone, on the threads of the guess, with nothing computed by another.
struct Estimate {
  double bytes = 0;              ///< memory at its peak
  double operations = 0;         ///< steps of a plain loop: a number added to another in half a nanosecond is one
  double shared_operations = 0;  ///< those of them that one repeat performs for all
  std::optional<base::Refusal> why_unknown = {};  ///< why nothing can be guessed; the numbers are then 0
};

/// What host and experiments know of a cell before it runs.
struct Forecast {
  std::optional<base::Refusal> skip = {};  ///< why this cell cannot be served
  bool draws_weights = false;
  bool shares_work = false;  ///< Cell::shares_work
  Estimate estimate = {};
  std::optional<base::Refusal> misfit = {};  ///< why what is given to this cell does not fit; then nothing runs at all
};

}  // namespace poslab::data
