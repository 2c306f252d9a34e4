// SPDX-License-Identifier: Apache-2.0
// What does a scheme cost? Definitions: cost.md. How long it takes is nowhere here: that is told by whoever performs
// the cell, in provenance.
#include <string>

#include "counts.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/network/network.hpp"
#include "work.hpp"

namespace poslab::experiments {
namespace cost {

data::ExperimentInfo describe();  // declaration.cpp

namespace {

Size size_of(const host::Scheme& scheme, const data::Values& axes) {
  Size size;
  size.network.alphabet = axes.integer("alphabet");
  size.network.model_width = scheme.model().model_width;
  size.network.heads = scheme.model().heads;
  size.network.layers = axes.integer("layers");
  size.network.feed_forward = axes.integer("feed_forward");
  size.network.train_length = axes.integer("length");
  size.network.causal = scheme.mask() != host::Mask::bidirectional_only;
  size.sequences = axes.integer("sequences");
  size.length = axes.integer("length");
  return size;
}

std::string why_skip(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  return scheme.why_not_positions(placement.lowest(), placement.highest(axes.integer("length")));
}

data::Record run(const ExperimentInput& input) {
  const host::Scheme& scheme = input.scheme;
  const Size size = size_of(scheme, input.axes);
  const double number = with_dtype(input.axes, [](auto scalar) { return static_cast<double>(sizeof(scalar)); });
  const SchemeParameters parameters = parameters_of(scheme, size.network.layers);
  const double bytes = number * (parameters.learned + parameters.frozen);
  data::Record record;
  record.scalar("scheme_parameters", parameters.learned);
  record.scalar("frozen_parameters", parameters.frozen);
  record.scalar("network_parameters", network_parameters(size.network));
  record.scalar("bytes", bytes);
  record.scalar("training_bytes", bytes + 3 * number * parameters.learned);
  record.scalar("encode_operations", encode_operations(scheme, size));
  record.scalar("attention_operations_none", attention_operations(nullptr, size));
  record.scalar("attention_operations", attention_operations(&scheme, size));
  record.scalar("training_operations_none", training_operations(nullptr, size));
  record.scalar("training_operations", training_operations(&scheme, size));
  if (input.axes.text("timed") != "nothing")
    with_dtype(input.axes, [&](auto scalar) { work<decltype(scalar)>(input, size); });
  return record;
}

data::Estimate estimate(const host::Scheme& scheme, const data::Values& axes, const data::Placement&) {
  const Size size = size_of(scheme, axes);
  const std::string& timed = axes.text("timed");
  const double times = axes.real("times"), N = axes.real("length");
  const double D = static_cast<double>(scheme.model().model_width);
  if (timed == "training-step")
    return {network::Network<double>::bytes(size.network, &scheme, {size.sequences, size.length, true}) +
                8 * 4 * (network_parameters(size.network) + parameters_of(scheme, size.network.layers).learned),
            times * training_operations(&scheme, size)};
  return {8 * N * D * 10, 1000 + times * (timed == "attention" ? attention_operations(&scheme, size)
                                          : timed == "encode"  ? 10 * N * D
                                                               : 0)};
}

}  // namespace
}  // namespace cost

Experiment make_cost() {
  using namespace cost;
  Experiment experiment{describe(), why_skip, estimate, run, axis_length};
  experiment.layers = [](const data::Values& axes) -> base::Index { return axes.integer("layers"); };
  return experiment;
}

}  // namespace poslab::experiments
