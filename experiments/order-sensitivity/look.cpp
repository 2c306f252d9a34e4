// SPDX-License-Identifier: Apache-2.0
// Dimension letters: N tokens, D model width.
#include "look.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "changes.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/network/random_layers.hpp"

namespace poslab::experiments::order_sensitivity {
namespace {

double root_mean_square(const std::vector<double>& values, std::size_t first, std::size_t count) {
  double squares = 0;
  for (std::size_t i = first; i < first + count; ++i) squares += values[i] * values[i] / static_cast<double>(count);
  return std::sqrt(squares);
}

// The sequences that go through one stack: as it is; prefix shuffles; for each distance its swaps; whole shuffles.
struct Plan {
  std::vector<Order> orders, whole;
  std::size_t shuffles;
  std::vector<std::size_t> swaps;  // how many at each distance
};

Plan plan_of(const OrderSensitivity& at, const data::Draws& draws) {
  const Index N = at.length, count = at.shuffles;
  Plan plan;
  plan.orders = {in_place(N)};
  const auto append = [&](const std::vector<Order>& more) {
    plan.orders.insert(plan.orders.end(), more.begin(), more.end());
    return more.size();
  };
  plan.shuffles = append(random_orders(draws.contents("prefix orders", {N}), N, N - 1, count));
  for (const double distance : rising(at.distance))
    plan.swaps.push_back(append(swaps(N, static_cast<Index>(distance), count)));
  if (!at.is_causal()) plan.whole = random_orders(draws.contents("orders", {N}), N, N, count);
  append(plan.whole);
  return plan;
}

// Several orders of one content, going through the layers together.
template <class S>
struct Running {
  Running(const ExperimentInput& input, bool causal, const host::LayerWeights<S>& weights, Array<double> places,
          const Array<S>& sequences)
      : positions(std::move(places)),
        stack(network::random_stack(input.scheme.model(), sequences.extent(1), 0, causal), input.layers(),
              {sequences.extent(0), sequences.extent(1)}),
        entered{sequences.extent(1), sequences.extent(2)} {
    const View<S> stream = stack.begin(sequences.extent(0), sequences.extent(1), positions);
    std::copy(sequences.flat().begin(), sequences.flat().end(), stream.begin());
    stack.encode(weights);
    std::copy_n(stack.stream().data, entered.size(), entered.data());
  }
  Array<double> positions;
  network::Stack<S> stack;
  Array<S> entered;  // sequence 0, as it enters the layers
};

// The positions of the first `count` of all N tokens.
Array<double> first_positions(const ExperimentInput& input, Index N, Index count, double shift) {
  const Array<double> all = input.positions(N);
  Array<double> some{count, all.extent(1)};
  for (Index i = 0; i < some.size(); ++i) some.data()[i] = all.data()[i] + shift;
  return some;
}

template <class S>
Array<S> draw(const ExperimentInput& input, const char* purpose, Index N) {
  return as<S>(input.draws.normal(purpose, {N, input.scheme.model().model_width}));
}

// How the last token's output changes with the shift, of a stack at positions 0 .. and one at shifted ones.
template <class S>
double shift_change(const Running<S>& here, const Running<S>& shifted) {
  const Index N = here.entered.extent(0), D = here.entered.extent(1);
  Array<S> both{2, N, D};
  std::copy_n(here.stack.stream().data, N * D, both.data());
  std::copy_n(shifted.stack.stream().data, N * D, both.data() + N * D);
  return last_token_changes<S>(both, here.entered).back();
}

template <class S>
void add_depth(const Plan& plan, const Running<S>& long_input, const Running<S>& short_input, bool deepest,
               Curves& curves) {
  const std::vector<double> changes = last_token_changes<S>(long_input.stack.stream(), long_input.entered);
  curves.prefix.push_back(root_mean_square(changes, 1, plan.shuffles));
  if (!plan.whole.empty())
    curves.equivariance.push_back(equivariance_error<S>(long_input.stack.stream(), long_input.entered,
                                                        static_cast<Index>(plan.orders.size() - plan.whole.size()),
                                                        plan.whole));
  const Kinds kinds = kinds_of_last_token<S>(short_input.stack.stream(), short_input.entered,
                                             sizeof(S) == sizeof(double) ? 1e-9 : 1e-4);
  curves.told_apart.push_back(static_cast<double>(kinds.count));
  curves.least.push_back(kinds.least);
  if (!deepest) return;
  std::size_t first = 1 + plan.shuffles;
  for (const std::size_t count : plan.swaps) {
    curves.swap.push_back(root_mean_square(changes, first, count));
    first += count;
  }
}

}  // namespace

template <class S>
Curves look(const OrderSensitivity& at, const ExperimentInput& input) {
  const Index N = at.length, n = std::min(at.short_length, N), deepest = at.scheme_layers();
  const network::StackOptions options = network::random_stack(input.scheme.model(), N, 0, at.is_causal());
  const std::vector<double> wanted = rising(at.depth);
  const Plan plan = plan_of(at, input.draws);
  const host::LayerSchemes schemes = input.layers();
  const host::LayerWeights<S> weights = draw_layer_weights<S>(input, deepest);
  const Array<S> content = draw<S>(input, "content", N);
  Running<S> long_input(input, at.is_causal(), weights, first_positions(input, N, N, 0),
                        in_orders<S>(content, plan.orders)),
      short_input(input, at.is_causal(), weights, first_positions(input, N, n, 0),
                  in_orders<S>(draw<S>(input, "short content", n), all_prefix_orders(n)));
  std::unique_ptr<Running<S>> shifted;
  if (at.can_shift(schemes, input.placement))
    shifted = std::make_unique<Running<S>>(input, at.is_causal(), weights,
                                           first_positions(input, N, N, static_cast<double>(at.shift)),
                                           in_orders<S>(content, {plan.orders.front()}));
  Curves curves;
  for (Index depth = 1; depth <= deepest; ++depth) {
    const network::RandomLayer<S> drawn = network::draw_random_layer<S>(input.draws, depth - 1, options);
    const network::StackLayer<S> layer = drawn.with(*schemes.layer(depth - 1), weights.layer(depth - 1));
    long_input.stack.step(layer);
    short_input.stack.step(layer);
    if (shifted) shifted->stack.step(layer);
    if (std::find(wanted.begin(), wanted.end(), static_cast<double>(depth)) == wanted.end()) continue;
    add_depth(plan, long_input, short_input, depth == deepest, curves);
    if (shifted) curves.shift.push_back(shift_change(long_input, *shifted));
  }
  return curves;
}

template Curves look<float>(const OrderSensitivity&, const ExperimentInput&);
template Curves look<double>(const OrderSensitivity&, const ExperimentInput&);

}  // namespace poslab::experiments::order_sensitivity
