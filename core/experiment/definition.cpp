// SPDX-License-Identifier: Apache-2.0
#include "poslab/experiment/definition.hpp"

#include "poslab/data/record.hpp"

namespace poslab::experiments {

void add_dimension(data::ExperimentInfo& info, const Dimension& dimension) {
  for (const data::DimensionInfo& known : info.dimensions)
    if (known.name == dimension.name) return;
  info.dimensions.push_back({dimension.name, dimension.unit, dimension.sentence,
                             dimension.within ? dimension.within() : std::vector<std::string>{}, dimension.times,
                             dimension.reached});
}

void add_dimension(data::ExperimentInfo& info, const InnerAxis& axis) {
  const data::AxisInfo* declared = info.axis(axis.name);
  if (!declared || !declared->inner) throw data::wrong_record("dimension", axis.name, "no inner axis has this name");
}

}  // namespace poslab::experiments
