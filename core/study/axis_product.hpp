// SPDX-License-Identifier: Apache-2.0
// The product of axes: all combinations of their values, by index.
#pragma once

#include <vector>

#include "readers/axes_reader.hpp"

namespace poslab::study {

class AxisProduct {
 public:
  /// `defaults` holds every name in declared order; axes and zips replace some of its values.
  AxisProduct(data::Values defaults, const std::vector<AxisValues>& axes, const std::vector<Zip>& zips);

  double size() const;  ///< how many points; a double, because a study may ask for far too many
  /// The point at `index`: the axis that was declared first varies slowest. Precondition: index < size().
  data::Values point(std::size_t index) const;

  /// Whether some point has the values in `where`; a number given for a list must be in it. Names that are no axis here
  /// are ignored.
  bool has_point_with(const data::Values& where) const;

 private:
  data::Values defaults_;
  std::vector<Zip> groups_;  ///< an axis is a zip of one list
};

/// All points of an experiment's axes, and all parameters of a scheme's variants.
AxisProduct axis_product_of(const ExperimentUse& use, const Study& study, const data::ExperimentInfo& info);
AxisProduct axis_product_of(const SchemeUse& use, const data::SchemeInfo& info);

}  // namespace poslab::study
