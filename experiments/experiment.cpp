// SPDX-License-Identifier: Apache-2.0
#include "poslab/experiments/experiment.hpp"

#include <fmt/format.h>

#include "poslab/base/error.hpp"
#include "poslab/base/text.hpp"

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

const Experiment& find_experiment(const std::string& id) {
  std::vector<std::string> known;
  for (const Experiment& experiment : all_experiments()) {
    if (experiment.info.id == id) return experiment;
    known.push_back(experiment.info.id);
  }
  throw base::Error(fmt::format("no experiment is called \"{}\"{}", id, base::did_you_mean(id, known)));
}

}  // namespace poslab::experiments
