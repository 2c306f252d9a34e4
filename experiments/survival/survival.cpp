// SPDX-License-Identifier: Apache-2.0
// Does the residual stream still tell where a token stands? Definitions: survival.md.
#include <algorithm>

#include "poslab/experiment/experiment.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/network/stack.hpp"
#include "probe.hpp"

namespace poslab::experiments {
namespace survival {

data::ExperimentInfo describe();  // declaration.cpp
data::AnswerColumn column();      // answer.cpp
data::Answer answer(const Point& point);

namespace {

Index layers(const data::Values& axes) { return std::max<Index>(1, deepest_layer(axes)); }

network::StackShape shape_of(const data::Values& axes, Index D) {
  return {axes.integer("sequences") + axes.integer("held_out"), axes.integer("length"),
          axes.integer("feed_forward") * D, axes.text("mask") == "causal"};
}

// [B, T, D]: independent tokens, embedded by numbers N(0, 1).
template <class S>
Array<S> draw_content(const ExperimentInput& input, const network::StackShape& shape, Index D) {
  const Index V = input.axes.integer("symbols"), B = shape.sequences, T = shape.length;
  const Array<S> embedding = as<S>(input.draws.normal("embedding", {V, D}));
  const base::Stream tokens = input.draws.contents("tokens", {B, T});
  Array<S> content{B, T, D};
  for (Index m = 0; m < B * T; ++m) {
    const auto token = static_cast<Index>(tokens.below(static_cast<std::uint64_t>(m), static_cast<std::uint64_t>(V)));
    std::copy_n(&embedding(token, 0), D, content.data() + m * D);
  }
  return content;
}

template <class S>
std::vector<Found> look(const ExperimentInput& input, const std::vector<double>& wanted) {
  const Index D = input.scheme.model().model_width;
  const network::StackShape shape = shape_of(input.axes, D);
  const host::Weights<S> weights = draw_weights<S>(input, layers(input.axes));
  const Array<double> positions = input.positions(shape.length);
  network::Stack<S> stack(input.scheme, shape, positions, weights, draw_content<S>(input, shape, D));
  const double constant = sizeof(S) == sizeof(double) ? 1e-9 : 1e-4;
  std::vector<Found> found;
  for (Index depth = 0; depth <= static_cast<Index>(wanted.back()); ++depth) {
    if (depth > 0) stack.step(network::draw_stack_weights<S>(input.draws, depth - 1, D, shape.feed_forward));
    if (std::find(wanted.begin(), wanted.end(), static_cast<double>(depth)) == wanted.end()) continue;
    Array<double> stream{shape.sequences, shape.length, D};
    std::copy(stack.stream().begin(), stack.stream().end(), stream.data());
    found.push_back(probe_places(stream, input.axes.integer("sequences"), input.axes.real("penalty"), constant));
  }
  return found;
}

data::Record run(const ExperimentInput& input) {
  const std::vector<double> wanted = depths(input.axes);
  const std::vector<Found> found =
      with_dtype(input.axes, [&](auto scalar) { return look<decltype(scalar)>(input, wanted); });
  std::vector<double> r2, error, fitted_r2;
  for (const Found& at : found) {
    r2.push_back(at.r2);
    error.push_back(at.mean_absolute_error);
    fitted_r2.push_back(at.fitted_r2);
  }
  data::Record record;
  record.coordinate("depth", wanted);
  record.curve("r2", {"depth"}, r2);
  record.curve("mean_absolute_error", {"depth"}, error);
  record.curve("fitted_r2", {"depth"}, fitted_r2);
  record.scalar("chance_r2", 0);
  record.scalar("chance_error", chance_error(input.axes.integer("length")));
  return record;
}

std::string why_skip(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  if (std::string reason = why_not_depths(axes); !reason.empty()) return reason;
  if (axes.integer("length") < 2)
    return "a sequence of 1 token has one place, and nothing to find: a length of 2 or more is needed";
  if (std::string reason = scheme.why_not_mask(axes.text("mask") == "causal"); !reason.empty()) return reason;
  return scheme.why_not_positions(placement.lowest(), placement.highest(axes.integer("length")));
}

data::Estimate estimate(const host::Scheme& scheme, const data::Values& axes, const data::Placement&) {
  const Index D = scheme.model().model_width;
  const network::StackShape shape = shape_of(axes, D);
  const double rows = static_cast<double>(shape.sequences * shape.length), width = static_cast<double>(D),
               probes = static_cast<double>(depths(axes).size());
  const bool is_float = axes.text("dtype") == "float32";
  const double stack =
      is_float ? network::Stack<float>::bytes(scheme, shape) : network::Stack<double>::bytes(scheme, shape);
  return {stack + 8 * rows * width * 5,
          static_cast<double>(layers(axes)) * network::Stack<double>::operations(scheme, shape) +
              probes * rows * width * (width + 20)};
}

}  // namespace
}  // namespace survival

Experiment make_survival() {
  using namespace survival;
  Experiment experiment{describe(), why_skip, estimate, run, axis_length, column(), answer};
  experiment.layers = layers;
  return experiment;
}

}  // namespace poslab::experiments
