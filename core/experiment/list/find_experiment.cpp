// SPDX-License-Identifier: Apache-2.0
#include "poslab/experiment/experiment.hpp"

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

const Experiment& find_experiment(const std::string& id) {
  for (const Experiment& experiment : all_experiments())
    if (experiment.info.id == id) return experiment;
  throw base::Error(base::Error::Kind::request,
                    fmt::format("no experiment is called \"{}\"{}", id, base::did_you_mean(id, known_ids())));
}

}  // namespace poslab::experiments
