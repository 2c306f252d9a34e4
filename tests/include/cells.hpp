// SPDX-License-Identifier: Apache-2.0
// One cell, run as the engine runs it: a scheme from its plugin, an experiment, axes with their defaults.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/draws.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/host/library.hpp"
#include "poslab/host/scheme.hpp"

namespace cells {

using poslab::base::Index;
using poslab::data::Values;

struct Cell {
  std::string experiment, scheme;
  Values axes{};        ///< those that differ from their defaults
  Values parameters{};  ///< those that differ from their defaults
  poslab::host::Model model{128, 8, 512};
  int repeat = 0;
  poslab::data::Placement placement{};  ///< of as many positions as the axis `length` says, where it says so
};

struct Answer {
  std::string skip;  ///< not empty: skipped, with this sentence
  poslab::data::Record record;

  double scalar(const std::string& measure) const { return record.measurement(measure)->values.at(0); }
  /// Never empty: a loop over a curve that is not there would check nothing.
  const std::vector<double>& curve(const std::string& measure) const {
    const auto* found = record.measurement(measure);
    if (!found || found->values.empty()) throw std::logic_error("the record has no curve \"" + measure + "\"");
    return found->values;
  }
  bool has(const std::string& measure) const { return record.measurement(measure) != nullptr; }
};

/// Equal bytes are equal bits of every number.
inline std::string bytes_of(const poslab::data::Record& record) {
  poslab::data::Outcome outcome;
  outcome.record = record;
  return poslab::data::pack(outcome);
}

/// Values of axes: a bare 3 would be ambiguous.
inline poslab::data::Value whole(std::int64_t n) { return n; }
inline poslab::data::Value list(std::vector<double> numbers) { return numbers; }

/// The plugin of a scheme, opened once: a shipped one, or one of tests/schemes.
inline std::shared_ptr<const poslab::host::Plugin> plugin(const std::string& id) {
  static std::map<std::string, std::shared_ptr<const poslab::host::Plugin>> opened;
  auto& plugin = opened[id];
  const std::filesystem::path shipped = std::filesystem::path(POSLAB_PLUGIN_DIR) / (id + ".so"),
                              of_tests = shipped.parent_path().parent_path() / "test-schemes" / shipped.filename();
  if (!plugin) plugin = poslab::host::Plugin::open((exists(shipped) ? shipped : of_tests).string());
  return plugin;
}

/// A grid of these extents.
inline poslab::data::Placement grid(std::vector<std::int64_t> extents) {
  poslab::data::Placement placement;
  placement.policy = poslab::data::Placement::Policy::grid;
  placement.extents = std::move(extents);
  return placement;
}

/// All axes of the experiment: those of the cell, and the defaults of the others.
inline Values all_axes(const Cell& cell) {
  Values axes{{"d_model", cell.model.model_width}, {"heads", cell.model.heads}};
  for (const poslab::data::AxisInfo& axis : poslab::experiments::find_experiment(cell.experiment).info.axes) {
    const poslab::data::Value* given = cell.axes.find(axis.name);
    axes.set(axis.name, given ? poslab::data::coerce(axis, *given) : axis.default_value);
    const bool is_length = axis.name == "length" || axis.name == "train_length";
    if (is_length && cell.placement.count()) axes.set(axis.name, *cell.placement.count());
  }
  return axes;
}

inline Answer run(const Cell& cell) {
  const poslab::experiments::Experiment& experiment = poslab::experiments::find_experiment(cell.experiment);
  const Values axes = all_axes(cell);
  const poslab::host::Scheme scheme(plugin(cell.scheme), cell.parameters, cell.model);
  const Index length = experiment.at(axes)->model_train_length();
  auto refusal = poslab::experiments::why_not_positions(scheme, cell.placement, length);
  if (!refusal) refusal = experiment.at(axes)->why_skip({scheme, cell.placement});
  if (refusal) return {std::move(refusal->reason), {}};
  const poslab::data::Draws draws(20261121, cell.experiment, cell.scheme, cell.repeat);
  return {"", experiment.run({scheme, axes, draws, cell.placement})};
}

}  // namespace cells
