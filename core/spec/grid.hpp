// SPDX-License-Identifier: Apache-2.0
// Axes crossed with each other: every point, by its number.
#pragma once

#include <vector>

#include "axes_reader.hpp"

namespace poslab::spec {

class Grid {
 public:
  /// `defaults` holds every name in declared order; axes and zips replace some of its values.
  Grid(base::Values defaults, const std::vector<AxisValues>& axes, const std::vector<Zip>& zips);

  double size() const;  ///< how many points; a double, because a study may ask for far too many
  /// Point number `index`: the axis declared first turns slowest. Precondition: index < size().
  base::Values point(std::size_t index) const;

  /// Whether some point has the values in `where`; a number given for a list must be in it. Names that are not in the
  /// grid are not looked at.
  bool has_point_with(const base::Values& where) const;

 private:
  base::Values defaults_;
  std::vector<Zip> groups_;  ///< an axis is a zip of one list
};

/// All points of an experiment's axes, and all parameters of a scheme's variants.
Grid grid_of(const ExperimentUse& use, const Study& study, const base::ExperimentInfo& info);
Grid grid_of(const SchemeUse& use, const base::SchemeInfo& info);

}  // namespace poslab::spec
