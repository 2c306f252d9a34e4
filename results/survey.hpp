// SPDX-License-Identifier: Apache-2.0
// The first pass over the outcomes: what must be known of all of them before the first number can be written. Curves
// are looked at and dropped; scalars, states and coordinates are kept.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "poslab/base/catalogue.hpp"
#include "poslab/base/cell.hpp"
#include "poslab/results/writer.hpp"

namespace poslab::results {

/// One dimension of an experiment's curves: the coordinates that each cell has, and the union of all.
class DimensionUse {
 public:
  explicit DimensionUse(std::string name) : name_(std::move(name)) {}

  /// The coordinates of the next cell; null if it has none.
  void add(const std::vector<double>* coordinates);
  /// Builds the union. To be called after the last `add`.
  void finish();

  const std::string& name() const { return name_; }
  const std::vector<double>& coordinates() const { return union_; }  ///< sorted, each once
  /// Where the coordinates of a cell (by its place in the experiment) lie in the union; empty if it has none.
  const std::vector<std::size_t>& places(std::size_t cell) const;
  /// Whether every cell has the first so many of the union.
  bool prefixes_only() const;

 private:
  std::string name_;
  std::map<std::vector<double>, std::size_t> lists_;  // the distinct lists, numbered: few, while cells are many
  std::vector<std::ptrdiff_t> list_of_cell_;          // -1: none
  std::vector<std::vector<std::size_t>> places_of_list_;
  std::vector<double> union_;
};

/// Along which axis some cells say where the points of a dimension lie: base::Place without its values.
struct PlaceUse {
  std::string dimension, axis;
  std::string name() const { return dimension + "_" + axis; }
  bool operator==(const PlaceUse&) const = default;
};

struct ExperimentSurvey {
  const base::ExperimentInfo* info = nullptr;
  std::vector<std::size_t> rows;  ///< root rows of its cells, in plan order
  std::map<std::string, std::vector<double>>
      scalars;                           ///< measure without dimensions -> one value a cell, NaN where it has none
  std::vector<DimensionUse> dimensions;  ///< those that its measures have, in order of first use
  std::vector<PlaceUse> places;          ///< in order of first use
  DimensionUse& dimension(const std::string& name);
  const DimensionUse& dimension(const std::string& name) const;
};

struct Survey {
  std::vector<base::Status> status;  ///< of each row
  std::vector<std::string> message;
  std::vector<double> seconds;
  std::vector<bool> has_curves;
  std::vector<std::size_t> row_in_experiment;
  std::vector<ExperimentSurvey> experiments;  ///< as in the description
  const ExperimentSurvey& experiment(const std::string& id) const;
};

/// Asks for every outcome once. Throws base::Error where a record disagrees with its experiment's declaration.
Survey survey(const Description& description, const std::vector<Row>& rows);

}  // namespace poslab::results
