// SPDX-License-Identifier: Apache-2.0
// What happens to the vector? Each position is measured in moved.cpp.
// Dimension letters: N positions, C contents, D model width.
#include <fmt/format.h>

#include "moved.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"

namespace poslab::experiments {
namespace norm_preservation {
data::ExperimentInfo describe();  // declaration.cpp
data::AnswerColumn column();      // answer.cpp
data::Answer answer(const Point& point);
}  // namespace norm_preservation

namespace {

using namespace norm_preservation;
using host::Operation;

bool encodes(const host::Scheme& scheme) { return scheme.has(Operation::encode); }

std::string why_skip(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  if (!encodes(scheme) && !scheme.has(Operation::transform))
    return fmt::format(
        "scheme \"{}\" changes no vector: it neither adds to the embedding nor transforms queries and keys",
        scheme.info().id);
  return scheme.why_not_positions(placement.lowest(), placement.highest(axes.integer("length")));
}

template <class S>
Array<S> draw_contents(const ExperimentInput& input, std::string_view purpose) {
  const Index C = input.axes.integer("contents"), D = input.scheme.model().model_width;
  Array<double> drawn = input.draws.normal(purpose, {C, D});
  const double deviation = input.axes.real("embedding_std");
  for (double& entry : drawn.flat()) entry *= deviation;
  return as<S>(drawn);
}

template <class S>
data::Record measure(const ExperimentInput& input) {
  const Index N = input.axes.integer("length"), D = input.scheme.model().model_width;
  const host::Weights<S> weights = draw_weights<S>(input);
  const std::vector<View<const S>> views = weights.of_layer(0);
  const Setting<S> setting{input.scheme, input.scheme.context(N), views, draw_contents<S>(input, "x"),
                           draw_contents<S>(input, "y")};
  const double deviation = input.axes.real("embedding_std"), content = static_cast<double>(D) * deviation * deviation;

  std::vector<double> position, mean, lowest, highest, of_queries, of_keys, angle, share;
  double isometry_error = 0, largest_entry = 0;
  const Array<double> positions = input.positions(N);
  for (const AtPosition& at : at_all_positions<S>(setting, positions)) {
    position.push_back(static_cast<double>(position.size()));
    mean.push_back(at.ratio.mean());
    lowest.push_back(at.ratio.lowest());
    highest.push_back(at.ratio.highest());
    of_queries.push_back(at.of_side[0].mean());
    of_keys.push_back(at.of_side[1].mean());
    angle.push_back(at.angle.mean());
    share.push_back(at.squared_norm / (at.squared_norm + content));
    isometry_error = std::max(isometry_error, at.isometry_error);
    largest_entry = std::max(largest_entry, at.largest_entry);
  }
  data::Record record;
  record.coordinate("position", position);
  record_coordinates(record, input.placement, "position", positions);
  record.curve("ratio_mean", {"position"}, mean);
  record.curve("ratio_min", {"position"}, lowest);
  record.curve("ratio_max", {"position"}, highest);
  record.scalar("isometry_error", isometry_error);
  if (!encodes(input.scheme)) {
    record.curve("ratio_queries", {"position"}, of_queries);
    record.curve("ratio_keys", {"position"}, of_keys);
  } else {
    record.curve("angle", {"position"}, angle);
    record.curve("position_share", {"position"}, share);
    record.scalar("max_abs", largest_entry);
  }
  return record;
}

data::Record run(const ExperimentInput& input) {
  return with_dtype(input.axes, [&](auto scalar) { return measure<decltype(scalar)>(input); });
}

data::Estimate estimate(const host::Scheme& scheme, const data::Values& axes, const data::Placement&) {
  const double N = static_cast<double>(axes.integer("length")), C = static_cast<double>(axes.integer("contents"));
  const double D = static_cast<double>(scheme.model().model_width), block = 32, threads = 16;
  return {8 * (2 * C * D + 5 * block * C * D * threads + 30 * N), N * C * D * (encodes(scheme) ? 24 : 48)};
}

}  // namespace

Experiment make_norm_preservation() {
  return {norm_preservation::describe(), why_skip, estimate, run, axis_length, norm_preservation::column(),
          norm_preservation::answer};
}

}  // namespace poslab::experiments
