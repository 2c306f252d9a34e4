// SPDX-License-Identifier: Apache-2.0
#include "options/completers.hpp"

#include <algorithm>
#include <set>

#include "poslab/check/check.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/run/library.hpp"

namespace poslab::app {
namespace {

std::vector<data::SchemeInfo> schemes_for(const Typed& typed) try {
  return run::open_library(typed.plugins).schemes();
} catch (const base::Error&) {
  return {};  // a shell that completes can show no error
}

// NAME= for each experiment's axes, or for its files.
template <class Declared>
Completion assignments(std::vector<Declared> data::ExperimentInfo::*declared) {
  std::set<std::string> names;
  for (const experiments::Experiment& experiment : experiments::all_experiments())
    for (const Declared& one : experiment.info.*declared) names.insert(one.name + "=");
  return {{names.begin(), names.end()}};
}

}  // namespace

Completion scheme_names(const Typed& typed) {
  Completion names;
  for (const data::SchemeInfo& scheme : schemes_for(typed)) names.words.push_back(scheme.id);
  return names;
}

Completion names_of_all(const Typed& typed) {
  Completion names = scheme_names(typed);
  for (const experiments::Experiment& experiment : experiments::all_experiments())
    names.words.push_back(experiment.info.id);
  return names;
}

Completion axis_names(const Typed& /*typed*/) { return assignments(&data::ExperimentInfo::axes); }
Completion data_names(const Typed& /*typed*/) { return assignments(&data::ExperimentInfo::files); }

Completion parameter_names(const Typed& typed) {
  Completion names;
  for (const data::SchemeInfo& scheme : schemes_for(typed))
    if (std::find(typed.words.begin(), typed.words.end(), scheme.id) != typed.words.end())
      for (const data::Quantity& parameter : scheme.parameters) names.words.push_back(parameter.name + "=");
  return names;
}

Completion check_names(const Typed& /*typed*/) {
  Completion names;
  for (const check::CheckInfo& info : check::all_checks()) names.words.push_back(info.name);
  return names;
}

Completion study_files(const Typed& /*typed*/) { return {{}, {"*.toml"}}; }
Completion results_files(const Typed& /*typed*/) { return {{}, {"*.h5"}}; }
Completion folders(const Typed& /*typed*/) { return {{}, {}, true}; }

}  // namespace poslab::app
