// SPDX-License-Identifier: Apache-2.0
// What happens to the vector? What is measured and declared; the measuring is in moved.cpp.
// Dimension letters: N positions, C contents, D model width.
#include <fmt/format.h>

#include "moved.hpp"
#include "poslab/experiments/declare.hpp"
#include "poslab/experiments/precision.hpp"

namespace poslab::experiments {
namespace {

using namespace norm_preservation;
using host::Operation;

bool encodes(const host::Scheme& scheme) { return scheme.has(Operation::encode); }

std::string why_skip(const host::Scheme& scheme, const base::Values& axes, const base::Placement& placement) {
  if (!encodes(scheme) && !scheme.has(Operation::transform))
    return fmt::format(
        "scheme \"{}\" changes no vector: it neither adds to the embedding nor transforms queries and keys",
        scheme.info().id);
  return scheme.why_not_positions(placement.lowest(), placement.highest(axes.integer("length")));
}

template <class S>
Array<S> draw_contents(const Trial& trial, std::string_view purpose) {
  const Index C = trial.axes.integer("contents"), D = trial.scheme.model().model_width;
  Array<double> drawn = trial.draws.normal(purpose, {C, D});
  const double deviation = trial.axes.real("embedding_std");
  for (double& entry : drawn.flat()) entry *= deviation;
  return as<S>(drawn);
}

template <class S>
base::Record measure(const Trial& trial) {
  const Index N = trial.axes.integer("length"), D = trial.scheme.model().model_width;
  const host::Weights<S> weights = draw_weights<S>(trial);
  const std::vector<View<const S>> views = weights.of_layer(0);
  const Setting<S> setting{trial.scheme,
                           {N, trial.scheme.model().train_length, trial.scheme.mask() == host::Mask::causal_only},
                           views,
                           draw_contents<S>(trial, "x"),
                           draw_contents<S>(trial, "y")};
  const double deviation = trial.axes.real("embedding_std"), content = static_cast<double>(D) * deviation * deviation;

  std::vector<double> position, mean, lowest, highest, angle, share;
  double isometry_error = 0, largest_entry = 0;
  const Array<double> positions = trial.positions(N);
  for (const AtPosition& at : at_all_positions<S>(setting, positions)) {
    position.push_back(static_cast<double>(position.size()));
    mean.push_back(at.ratio.mean());
    lowest.push_back(at.ratio.lowest());
    highest.push_back(at.ratio.highest());
    angle.push_back(at.angle.mean());
    share.push_back(at.squared_norm / (at.squared_norm + content));
    isometry_error = std::max(isometry_error, at.isometry_error);
    largest_entry = std::max(largest_entry, at.largest_entry);
  }
  base::Record record;
  record.coordinate("position", position);
  record_places(record, trial.placement, "position", positions);
  record.curve("ratio_mean", {"position"}, mean);
  record.curve("ratio_min", {"position"}, lowest);
  record.curve("ratio_max", {"position"}, highest);
  record.scalar("isometry_error", isometry_error);
  if (encodes(trial.scheme)) {
    record.curve("angle", {"position"}, angle);
    record.curve("position_share", {"position"}, share);
    record.scalar("max_abs", largest_entry);
  }
  return record;
}

base::Record run(const Trial& trial) {
  return with_dtype(trial.axes, [&](auto scalar) { return measure<decltype(scalar)>(trial); });
}

base::Estimate estimate(const host::Scheme& scheme, const base::Values& axes, const base::Placement&) {
  const double N = static_cast<double>(axes.integer("length")), C = static_cast<double>(axes.integer("contents"));
  const double D = static_cast<double>(scheme.model().model_width), block = 32, threads = 16;
  return {8 * (2 * C * D + 5 * block * C * D * threads + 30 * N), N * C * D * (encodes(scheme) ? 24 : 48)};
}

base::AxisInfo embedding_std_axis() {
  base::AxisInfo axis;
  axis.name = "embedding_std";
  axis.kind = base::Kind::real;
  axis.sentence = "standard deviation of the entries of a content vector (an embedding), independent and normal";
  axis.default_value = 1.0;
  axis.range.lowest = 0;
  axis.range.above_lowest = true;
  return axis;
}

base::ExperimentInfo describe() {
  base::ExperimentInfo info;
  info.id = "norm-preservation";
  info.version = "1.0";
  info.title = "Norm preservation";
  info.question = "What happens to the vector: does it keep its length, its angles to others, its direction?";
  info.axes = {length_axis(), embedding_std_axis(), contents_axis(), dtype_axis()};
  info.dimensions = {{"position", "position", "p"}};
  info.draws_contents = true;
  info.measures = {
      {"ratio_mean",
       {"position"},
       "1",
       "length of the vector after over before, on average",
       "mean over contents (transform: also heads and sides) of norm(x') / norm(x), x' = x + e(p) or T_p x",
       "1",
       absolute(1e-14)},
      {"ratio_min",
       {"position"},
       "1",
       "length of the vector after over before, at least",
       "min of norm(x') / norm(x)",
       "1",
       absolute(1e-14)},
      {"ratio_max",
       {"position"},
       "1",
       "length of the vector after over before, at most",
       "max of norm(x') / norm(x)",
       "1",
       absolute(1e-14)},
      {"isometry_error",
       {},
       "1",
       "how much inner products change, at worst",
       "max |<x', y'> - <x, y>| / (norm(x) norm(y)), x and y at the same position and on the same side",
       "0",
       absolute(1e-14)},
      {"angle",
       {"position"},
       "rad",
       "how far the added code turns the embedding",
       "mean over contents of the angle between x and x + e(p)",
       "0",
       absolute(1e-12)},
      {"position_share",
       {"position"},
       "1",
       "share of the code in the expected squared norm of the sum",
       "|e(p)|^2 / (|e(p)|^2 + D embedding_std^2)",
       "0",
       absolute(1e-12)},
      {"max_abs", {}, "1", "largest absolute entry of any code", "max over p and channels of |e(p)|", "0", exact()}};
  return info;
}

}  // namespace

Experiment make_norm_preservation() {
  return {describe(), why_skip, estimate, run,
          [](const base::Values& axes) -> Index { return axes.integer("length"); }};
}

}  // namespace poslab::experiments
