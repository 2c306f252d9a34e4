// SPDX-License-Identifier: Apache-2.0
#include "poslab/experiments/experiment.hpp"

#include <fmt/format.h>

#include "poslab/base/text.hpp"

namespace poslab::experiments {
namespace {

std::vector<std::string> known_ids() {
  std::vector<std::string> known;
  for (const Experiment& experiment : all_experiments()) known.push_back(experiment.info.id);
  return known;
}

}  // namespace

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
  for (const Experiment& experiment : all_experiments())
    if (experiment.info.id == id) return experiment;
  throw NoSuchExperiment(id);
}

NoSuchExperiment::NoSuchExperiment(std::string wanted)
    : Error(fmt::format("no experiment is called \"{}\"{}", wanted, base::did_you_mean(wanted, known_ids()))),
      id(std::move(wanted)) {}

}  // namespace poslab::experiments
