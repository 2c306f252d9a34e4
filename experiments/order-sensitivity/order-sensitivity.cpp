// SPDX-License-Identifier: Apache-2.0
// Does attention see the order of its input? Definitions: order-sensitivity.md.
// Dimension letters: N tokens, D model width.
#include <algorithm>

#include "look.hpp"
#include "poslab/base/text.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/network/stack.hpp"

namespace poslab::experiments {
namespace order_sensitivity {

data::ExperimentInfo describe();  // declaration.cpp

namespace {

data::Record run(const ExperimentInput& input) {
  const Curves curves = with_dtype(input.axes, [&](auto scalar) { return look<decltype(scalar)>(input); });
  data::Record record;
  record.coordinate("depth", depths(input.axes));
  record.coordinate("distance", rising(input.axes.list("distance")));
  record.curve("prefix_change", {"depth"}, curves.prefix);
  record.curve("swap_change", {"distance"}, curves.swap);
  if (!curves.equivariance.empty()) record.curve("equivariance_error", {"depth"}, curves.equivariance);
  if (!curves.shift.empty()) record.curve("shift_change", {"depth"}, curves.shift);
  record.curve("orders_told_apart", {"depth"}, curves.told_apart);
  record.curve("least_change", {"depth"}, curves.least);
  return record;
}

std::string why_skip(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  if (std::string reason = why_not_depths(axes); !reason.empty()) return reason;
  if (std::string reason = why_not_whole(axes, "distance", "positions"); !reason.empty()) return reason;
  const Index N = axes.integer("length");
  if (N < 3)
    return "an input of " + std::to_string(N) + (N == 1 ? " token" : " tokens") +
           " has no two before the last that could change places: a length of 3 or more is needed";
  if (scheme.model().model_width == 1)
    return "layer norm makes 0 of a single channel, so that attention writes nothing: a width of 2 or more is needed";
  if (const double farthest = rising(axes.list("distance")).back(); farthest > static_cast<double>(N - 2))
    return "two tokens before the last of " + std::to_string(N) + " stand at most " + std::to_string(N - 2) +
           " apart, but the distance " + base::shortest(farthest) + " is asked for";
  if (std::string reason = scheme.why_not_mask(is_causal(axes)); !reason.empty()) return reason;
  return scheme.why_not_positions(placement.lowest(), placement.highest(N));
}

data::Estimate estimate(const host::Scheme& scheme, const data::Values& axes, const data::Placement&) {
  const Index N = axes.integer("length"), n = std::min(axes.integer("short_length"), N),
              sequences = 2 + axes.integer("shuffles") * (2 + static_cast<Index>(axes.list("distance").size()));
  Index orders = 1;
  for (Index i = 2; i < n; ++i) orders *= i;
  const network::StackShape of_long{sequences, N, 0, true}, of_short{orders, n, 0, true};
  const double D = static_cast<double>(scheme.model().model_width);
  using Stack = network::Stack<double>;
  return {Stack::bytes(scheme, of_long) + Stack::bytes(scheme, of_short) +
              8 * D * static_cast<double>(sequences * N + orders * n) + 32 * D * D,
          static_cast<double>(deepest_layer(axes)) *
              (Stack::operations(scheme, of_long) + Stack::operations(scheme, of_short))};
}

}  // namespace
}  // namespace order_sensitivity

Experiment make_order_sensitivity() {
  using namespace order_sensitivity;
  Experiment experiment{describe(), why_skip, estimate, run, axis_length};
  experiment.layers = deepest_layer;
  return experiment;
}

}  // namespace poslab::experiments
