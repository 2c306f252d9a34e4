// SPDX-License-Identifier: Apache-2.0
// Trained networks that a run is handed (--network): for each variant and repeat one that an earlier run kept whole.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "poslab/base/json.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/kept_array.hpp"
#include "poslab/results/trained_weights.hpp"
#include "poslab/workers/backend.hpp"

namespace poslab::run {

class SuppliedNetworks {
 public:
  /// Reads all `FILE[:EXPERIMENT]`. Throws base::Error.
  explicit SuppliedNetworks(const std::vector<std::string>& sources);

  /// What a cell is given: a network, where its experiment takes one, and elsewhere the weights of the network's
  /// scheme, if it has some. Of several networks of its scheme a cell has those that were trained with its parameters,
  /// of these those of its task; where none were, its parameters, or its task, may be others than they were. Throws
  /// base::Error where a network is wanted and none, or more than one, is there.
  std::optional<data::Given> of(const data::Cell& cell) const;
  std::optional<int> repeats_of(const data::Cell& cell) const;
  std::vector<workers::GivenContents> contents() const;
  void require_used() const;
  base::Json provenance(const std::vector<data::Cell>& cells) const;

 private:
  // bare: without moments; weights: of its scheme, empty where it has none.
  struct Network {
    workers::GivenContents whole, bare, weights;
    std::size_t source;
  };
  // A scheme attached to a model: its id, d_model, heads.
  using Model = std::tuple<std::string, std::int64_t, std::int64_t>;
  // What networks of one scheme may differ by: its parameters as JSON, the experiment and the task.
  struct Training {
    std::string parameters, experiment, task;
    auto operator<=>(const Training&) const = default;
  };
  using Repeats = std::map<int, Network>;
  void add(std::size_t source, const results::TrainedCell& cell);
  const Repeats* find(const data::Cell& cell) const;
  std::string held() const;

  struct Source {
    std::string text, path, file_hash;
  };
  std::vector<Source> sources_;
  std::map<Model, std::map<Training, Repeats>> networks_;
  mutable std::set<std::size_t> used_;  // sources
};

}  // namespace poslab::run
