// SPDX-License-Identifier: Apache-2.0
// Trained weights that a run is handed: those that an earlier run kept, for each variant and repeat, or arrays of
// anybody's, for a scheme's weights by name.
#pragma once

#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/base/json.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/kept_array.hpp"
#include "poslab/run/weights_source.hpp"
#include "poslab/workers/backend.hpp"

namespace poslab::run {

class SuppliedWeights {
 public:
  /// Reads all sources. Throws base::Error. Of a whole run only what a cell
  /// asks for has to be good: otherwise `hash_of` and `repeats_of` throw these.
  explicit SuppliedWeights(const std::vector<std::string>& sources);

  /// The hash of a cell's packed weights, which depend on its repeat; empty: it draws them.
  std::string hash_of(const data::Cell& cell) const;
  std::optional<int> repeats_of(const data::Cell& cell) const;
  /// Throws base::Error where a file holds whole networks: an experiment that trains one is not begun with its
  /// scheme's weights alone.
  void require_no_network(const std::string& experiment) const;
  std::vector<workers::GivenContents> contents() const;
  void require_used() const;
  base::Json provenance(const std::vector<data::Cell>& cells) const;

 private:
  struct Packed {
    std::string hash;
    std::shared_ptr<const std::string> contents;
    std::size_t source;
  };
  struct Source {
    std::string text, scheme, path;  // scheme: that its array is for; empty for a whole run
    std::string file_hash, held;     // held: what a whole run holds, for a message
    bool has_network = false;
  };
  // A variant attached to a model: the id of its scheme, its parameters as JSON, d_model, heads.
  using Question = std::tuple<std::string, std::string, std::int64_t, std::int64_t>;
  static Question question_of(const data::Cell& cell);
  void add_run(std::size_t index, const WeightsSource& source);
  void require_good(const Question& question) const;
  void add_arrays(const std::vector<std::pair<std::size_t, WeightsSource>>& bound);
  Packed packed(const data::GivenWeights& weights, std::size_t source) const;

  std::vector<Source> sources_;
  std::map<Question, std::map<int, Packed>> of_runs_;  // by repeat
  std::map<Question, std::exception_ptr> problems_;    // why these weights of runs cannot be had
  std::map<std::string, Packed> of_schemes_;           // by id
  mutable std::set<std::size_t> used_;                 // sources
};

}  // namespace poslab::run
