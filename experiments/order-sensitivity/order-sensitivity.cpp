// SPDX-License-Identifier: Apache-2.0
// Dimension letters: N tokens, D model width.
#include "order-sensitivity.hpp"

#include <algorithm>

#include "look.hpp"
#include "poslab/base/text.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/needs.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/network/random_layers.hpp"

namespace poslab::experiments {
namespace order_sensitivity {

Axes<OrderSensitivity> OrderSensitivity::axes() {
  return {
      {&OrderSensitivity::length, length_axis(24)},
      {&OrderSensitivity::mask, mask_axis()},
      {&OrderSensitivity::shuffles,
       {.name = "shuffles",
        .default_value = 16,
        .range = {.lowest = 1, .highest = 1e5},
        .sentence = "how many random orders are drawn, and how many pairs are swapped at each distance at most"}},
      {&OrderSensitivity::short_length,
       {.name = "short_length",
        .default_value = 5,
        .range = {.lowest = 3, .highest = 7},
        .unit = "position",
        .sentence = "n: tokens of the short input, of which all but the last are put into every order"}},
      {&OrderSensitivity::shift,
       {.name = "shift",
        .default_value = 57,
        .range = {.lowest = 0, .highest = 1e9},
        .unit = "position",
        .sentence = "what is added to every position for shift_change"}},
      {&OrderSensitivity::dtype, dtype_axis()},
      {&OrderSensitivity::depth,
       {.name = "depth",
        .default_value = {1, 2, 3},
        .range = {.lowest = 1, .highest = 1000},
        .unit = "layers",
        .sentence = "t: how many attention layers stand on each other"}},
      {&OrderSensitivity::distance,
       {.name = "distance",
        .default_value = {1, 2, 4, 8},
        .range = {.lowest = 1, .highest = 1e9},
        .unit = "position",
        .sentence = "r: how far apart two tokens are that are swapped"}},
  };
}

Index OrderSensitivity::scheme_layers() const { return static_cast<Index>(rising(depth).back()); }

bool OrderSensitivity::can_shift(const host::LayerSchemes& schemes, const data::Placement& placement) const {
  const auto moved = static_cast<double>(shift);
  return !schemes.why_not_positions(placement.lowest() + moved, placement.highest(length) + moved);
}

void OrderSensitivity::run(const ExperimentInput& input, Output& out) const {
  const Curves curves = with_dtype(dtype, [&]<class S>(S) { return look<S>(*this, input); });
  out.coordinate<Depth>(rising(depth));
  out.coordinate<Distance>(rising(distance));
  out.set(prefix_change, curves.prefix);
  out.set(swap_change, curves.swap);
  if (!curves.equivariance.empty()) out.set(equivariance_error, curves.equivariance);
  if (!curves.shift.empty()) out.set(shift_change, curves.shift);
  out.set(orders_told_apart, curves.told_apart);
  out.set(least_change, curves.least);
}

std::optional<base::Refusal> OrderSensitivity::why_skip(const Setting& of) const {
  if (auto refusal = why_not_whole(depth, "depth", "layers")) return refusal;
  if (auto refusal = why_not_whole(distance, "distance", "positions")) return refusal;
  const Index N = length;
  if (N < 3)
    return "an input of " + std::to_string(N) + (N == 1 ? " token" : " tokens") +
           " has no two before the last that could change places: a length of 3 or more is needed";
  if (of.scheme.model().model_width == 1)
    return "layer norm makes 0 of a single channel, so that attention writes nothing: a width of 2 or more is needed";
  if (const double farthest = rising(distance).back(); farthest > static_cast<double>(N - 2))
    return "two tokens before the last of " + std::to_string(N) + " stand at most " + std::to_string(N - 2) +
           " apart, but the distance " + base::shortest(farthest) + " is asked for";
  return of.why_not_attended(is_causal(), N);
}

// Two stacks of many sequences, and one of a shifted one; the contents of a stack while it is made, or a layer's
// weights.
data::Estimate OrderSensitivity::estimate(const Setting& of) const {
  const Needs needs(of.layers(), dtype);
  const Index N = length, n = std::min(short_length, N);
  Index sequences = is_causal() ? 1 + shuffles : 1 + 2 * shuffles, orders = 1;
  for (const double r : distance) sequences += std::min(shuffles, N - 1 - static_cast<Index>(r));
  for (Index i = 2; i < n; ++i) orders *= i;
  const network::StackOptions options = network::random_stack(of.scheme.model(), N, 0, is_causal());
  const network::StackCapacity of_long{sequences, N}, of_short{orders, n};
  const double contents = needs.bytes * needs.D * static_cast<double>(sequences * N),
               others = needs.stack(options, of_short) + needs.stack(options, {1, N}), layers = scheme_layers();
  return {needs.stack(options, of_long) + std::max(contents, others + needs.stack_weights(0)),
          layers * (needs.draw(4 * needs.D * needs.D) + needs.stack_layer(options, of_long) +
                    needs.stack_layer(options, of_short))};
}

}  // namespace order_sensitivity

Experiment make_order_sensitivity() { return experiment_of<order_sensitivity::OrderSensitivity>(); }

}  // namespace poslab::experiments
