// SPDX-License-Identifier: Apache-2.0
#include "poslab/experiment/experiment.hpp"

#include "poslab/experiment/measure.hpp"

namespace poslab::experiments {

base::Array<double> ExperimentInput::positions(base::Index first, base::Index count) {
  base::Array<double> out{count, 1};
  for (base::Index i = 0; i < count; ++i) out(i, 0) = static_cast<double>(first + i);
  return out;
}

data::Record Experiment::run(const ExperimentInput& input) const {
  data::Record record;
  Output output(record);
  at(input.axes)->run(input, output);
  return record;
}

const Files& no_files() {
  static const Files none;
  return none;
}

}  // namespace poslab::experiments
