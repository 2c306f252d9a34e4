// SPDX-License-Identifier: Apache-2.0
// The first pass over the outcomes: what must be known of all of them before the first number can be written. It keeps
// scalars, states and coordinates; curves are read again when they are written.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/results/writer.hpp"
#include "write/dimension_use.hpp"

namespace poslab::results {

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
  DimensionUse& dimension(const std::string& name);
  const DimensionUse& dimension(const std::string& name) const;
};

struct FirstPass {
  std::vector<data::Status> status;  ///< of each row
  std::vector<std::string> message;
  std::vector<data::WeightsState> weights;
  std::vector<double> seconds;
  std::vector<bool> has_curves, has_kept;
  std::vector<std::size_t> row_in_experiment;
  std::vector<ExperimentTable> experiments;  ///< as in the description
};

/// Reads every outcome once. Throws MeasureMismatch where a record contradicts its experiment's declaration.
FirstPass first_pass(const Description& description, const std::vector<Row>& rows);

}  // namespace poslab::results
