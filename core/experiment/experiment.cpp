// SPDX-License-Identifier: Apache-2.0
#include "poslab/experiment/experiment.hpp"

namespace poslab::experiments {

base::Array<double> ExperimentInput::positions(base::Index first, base::Index count) {
  base::Array<double> out{count, 1};
  for (base::Index i = 0; i < count; ++i) out(i, 0) = static_cast<double>(first + i);
  return out;
}

const Files& no_files() {
  static const Files none;
  return none;
}

}  // namespace poslab::experiments
