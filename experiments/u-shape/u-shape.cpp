// SPDX-License-Identifier: Apache-2.0
// Which positions influence the last token before anything is learned? Definitions: u-shape.md.
#include <algorithm>

#include "context.hpp"
#include "poslab/attention/attention.hpp"
#include "poslab/experiments/experiment.hpp"
#include "poslab/experiments/inner_axes.hpp"

namespace poslab::experiments {
namespace u_shape {

data::ExperimentInfo describe();  // declaration.cpp

namespace {

data::Record run(const ExperimentInput& input) {
  const Index N = input.axes.integer("length");
  const double mixing = input.axes.real("mixing");
  const std::vector<double> wanted = depths(input.axes);
  const std::vector<Array<double>> attention = empty_attention(input, deepest_layer(input.axes));
  std::vector<double> context, first, last, middle, limit, distance;
  for (const double depth : wanted) {
    const std::vector<double> row = last_context(attention, static_cast<Index>(depth), mixing);
    context.insert(context.end(), row.begin(), row.end());
    first.push_back(row.front());
    last.push_back(row.back());
    middle.push_back(static_cast<double>(N) * row[row.size() / 2]);
    distance.push_back(mean_distance(row));
    limit.push_back(middle_limit(static_cast<Index>(depth), mixing));
  }
  data::Record record;
  record.coordinate("depth", wanted);
  record.coordinate("position", numbers_below(N));
  record_coordinates(record, input.placement, "position", input.positions(N));
  record.curve("context", {"depth", "position"}, context);
  record.curve("first", {"depth"}, first);
  record.curve("last", {"depth"}, last);
  record.curve("middle", {"depth"}, middle);
  record.curve("middle_limit", {"depth"}, limit);
  record.curve("mean_distance", {"depth"}, distance);
  return record;
}

data::Estimate estimate(const host::Scheme& scheme, const data::Values& axes, const data::Placement&) {
  const double N = axes.real("length"), H = static_cast<double>(scheme.model().heads),
               D = static_cast<double>(scheme.model().model_width),
               different = static_cast<double>(different_layers(scheme, deepest_layer(axes)));
  double steps = 0;
  for (const double depth : depths(axes)) steps += depth;
  const double tiles = 4 * H * N * std::min<double>(N, attention::queries_per_tile);
  return {8 * (different * N * N + 4 * N * D + 3 * tiles + 2 * N * static_cast<double>(depths(axes).size())),
          different * N * N * (2 * D + 20 * H) + 2 * steps * N * N};
}

}  // namespace
}  // namespace u_shape

Experiment make_u_shape() {
  using namespace u_shape;
  Experiment experiment{describe(), why_no_causal_stack, estimate, run, axis_length};
  experiment.layers = deepest_layer;
  return experiment;
}

}  // namespace poslab::experiments
