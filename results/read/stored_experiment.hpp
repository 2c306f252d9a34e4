// SPDX-License-Identifier: Apache-2.0
// One experiment of a results file, to be read cell by cell.
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "h5/box.hpp"
#include "poslab/data/catalogue.hpp"
#include "read/results_file.hpp"

namespace poslab::results {

/// The tolerance of a measure, cell by cell.
struct StoredTolerance {
  data::Tolerance in_double;
  std::optional<data::Tolerance> in_float;  ///< where it is another
  std::vector<bool> is_float;               ///< of each row; empty: none is
  std::vector<double> unit;                 ///< of each row; empty: 1

  const data::Tolerance& of(std::size_t row) const {
    return in_float && !is_float.empty() && is_float[row] ? *in_float : in_double;
  }
  /// A cell that has not measured its unit allows what is relative only.
  double unit_of(std::size_t row) const {
    return unit.empty() ? 1 : std::isfinite(unit[row]) ? std::abs(unit[row]) : 0;
  }
};

class StoredExperiment {
 public:
  StoredExperiment(const h5::Handle& file, std::string id);

  /// Throws base::FileError if the group has no such row.
  void require_row(std::size_t row) const;

  const std::vector<data::MeasureInfo>& measures() const { return measures_; }
  const data::MeasureInfo* measure(const std::string& name) const;
  h5::Handle open(const data::MeasureInfo& measure) const { return h5::open_dataset(group_, measure.name); }
  StoredTolerance tolerance(const data::MeasureInfo& measure) const;

  /// The indices of the cell's own coordinates along the measure's dimensions.
  Indices indices(const data::MeasureInfo& measure, std::size_t row) const;
  /// The coordinate values at these indices of a dimension.
  std::vector<double> coordinates(const std::string& dimension, const std::vector<std::size_t>& indices) const;

  double length(std::size_t row) const;            ///< its `length`, else its `train_length`, else 0
  double largest_position(std::size_t row) const;  ///< that it involves: see results/schema.md, "Comparing"
  /// What tells its cells apart, by name: variant, axes, parameters.
  const std::vector<std::pair<std::string, std::vector<std::string>>>& columns() const { return label_columns_; }
  std::string version() const;
  /// "rope, d_model 128, heads 8, length 512, repeat 0"
  std::string label(std::size_t row) const;
  /// The outer axes of the cell by name, as texts; empty texts: it has none.
  std::vector<std::pair<std::string, std::string>> labels(std::size_t row) const;
  /// The coordinates that the cell has along a dimension.
  std::vector<double> own_coordinates(const std::string& dimension, std::size_t row) const {
    return coordinates(dimension, own(dimension, row));
  }

 private:
  std::vector<std::size_t> own(const std::string& dimension, std::size_t row) const;
  double largest(const std::string& dimension, std::size_t row) const;
  bool has_dimension(const std::string& name) const { return coordinates_.count(name) > 0; }

  void check_extents() const;

  std::string id_;
  h5::Handle group_;
  std::size_t rows_;
  std::vector<data::MeasureInfo> measures_;
  std::map<std::string, std::vector<double>> coordinates_, counts_, lengths_;
  std::vector<std::pair<std::string, std::vector<std::string>>> label_columns_;
};

}  // namespace poslab::results
