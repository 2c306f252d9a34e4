// SPDX-License-Identifier: Apache-2.0
// The first pass over the outcomes: what must be known of all of them before the first number can be written. It keeps
// scalars, states and coordinates; curves are read again when they are written.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/outcome.hpp"
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
  /// The indices of a cell's coordinates in the union; empty if it has none. `cell`: its row in the experiment.
  const std::vector<std::size_t>& indices(std::size_t cell) const;
  /// Whether every cell has a prefix of the union.
  bool prefixes_only() const;

 private:
  std::string name_;
  std::map<std::vector<double>, std::size_t> lists_;  // the distinct lists, numbered: few, while cells are many
  std::vector<std::ptrdiff_t> list_of_cell_;          // -1: none
  std::vector<std::vector<std::size_t>> indices_of_list_;
  std::vector<double> union_;
};

/// An axis along which some cells give the positions of a dimension's points: data::PositionCoordinate without values.
struct PositionAxis {
  std::string dimension, axis;
  std::string name() const { return dimension + "_" + axis; }
  bool operator==(const PositionAxis&) const = default;
};

/// All of one experiment's cells but their curves.
struct ExperimentTable {
  const data::ExperimentInfo* info = nullptr;
  std::vector<std::size_t> rows;  ///< root rows of its cells, in plan order
  /// One value a cell for each measure without dimensions, NaN where the cell has none.
  std::map<std::string, std::vector<double>> scalars;
  std::vector<DimensionUse> dimensions;     ///< those that its measures have, in order of first use
  std::vector<PositionAxis> position_axes;  ///< in order of first use
  const DimensionUse& dimension(const std::string& name) const;
};

/// By name (data::for_each_fact), a number for each row.
using AttemptFacts = std::map<std::string, std::vector<double>>;

struct FirstPass {
  std::vector<data::Status> status;  ///< of each row
  std::vector<std::string> message;
  std::vector<data::WeightsState> weights;
  AttemptFacts facts;
  std::vector<bool> has_curves, has_kept;
  std::vector<std::size_t> row_in_experiment;
  std::vector<ExperimentTable> experiments;  ///< as in the description
};

/// Reads every outcome once. Throws base::Error where a record contradicts its experiment's declaration.
FirstPass first_pass(const Description& description, const std::vector<Row>& rows);

}  // namespace poslab::results
