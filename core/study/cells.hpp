// SPDX-License-Identifier: Apache-2.0
// Which cells a study asks for, without all of them at hand: variants, the product of axes, and what conditions and
// expectations apply to.
#pragma once

#include <vector>

#include "poslab/base/refusal.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/study/study.hpp"
#include "readers/axes_reader.hpp"

namespace poslab::study {

/// An entry of a mixed scheme with all its parameters.
data::LayerVariant layer_variant_of(const LayerUse& use, const data::SchemeInfo& info);

/// The parameters that a study sets or varies anywhere for this scheme, in declared order.
std::vector<std::string> varied_names(const Study& study, const data::SchemeInfo& info);

/// The variants of one use, in order; `varied` goes into their labels: `rope(base=500000.0, style=half-split)`. Where
/// the use has a label of its own, that stands in place of the scheme and of what the use sets.
std::vector<data::Variant> variants_of(const SchemeUse& use, const data::SchemeInfo& info,
                                       const std::vector<std::string>& varied);

/// The product of axes: all combinations of their values, by index.
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

/// Whether a condition of a skip holds for a cell; never, if it is on a parameter that the cell's scheme does not have.
bool holds(const Condition& condition, const data::Cell& cell);

/// Nothing if the expectation applies to some cell of the study; else why not. Does not expand the cells.
std::optional<base::Refusal> why_unmatched(const data::Expectation& expectation, const Study& study,
                                           const data::Catalogue& catalogue);

/// Nothing if some cell that the expectation applies to has the point of a dimension that it names, as far as that is
/// known beforehand; else why not.
std::optional<base::Refusal> why_out_of_reach(const data::Expectation& expectation,
                                              const std::vector<data::Cell>& cells,
                                              const data::ExperimentInfo& experiment);

}  // namespace poslab::study
