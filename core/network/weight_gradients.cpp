// SPDX-License-Identifier: Apache-2.0
#include "weight_gradients.hpp"

#include "poslab/network/layers.hpp"
#include "tiles.hpp"

namespace poslab::network {
namespace {

constexpr Index outputs_per_task = 32;  // rows of a weight's gradient that one task makes

template <class S>
Index tasks_of(const WeightGradient<S>& gradient) {
  return gradient.sums.weight.data ? (gradient.dy.shape[1] + outputs_per_task - 1) / outputs_per_task : 0;
}

}  // namespace

template <class S>
void add_weight_gradients(std::span<const WeightGradient<S>> gradients) {
  Index tasks = 0;
  for (const WeightGradient<S>& gradient : gradients) tasks += tasks_of(gradient);
  tbb::parallel_for(
      Index{0}, tasks,
      [&](Index task) {
        auto of = gradients.begin();
        for (; task >= tasks_of(*of); ++of) task -= tasks_of(*of);
        const Index first = task * outputs_per_task, count = std::min(outputs_per_task, of->dy.shape[1] - first);
        linear_weight_gradient<S>(of->dy, of->x, first, count, of->sums.weight, of->sums.bias);
      },
      tbb::simple_partitioner());
}

template <class S>
Affine<View<S>> NormGradient<S>::begin_tile(Index first_row) const {
  const auto zeroed = [&](View<S> total, Index array) {
    if (!total.data) return View<S>();
    const View<S> sums = of_tile(first_row / rows_per_tile, array);
    std::fill(sums.begin(), sums.end(), S(0));
    return sums;
  };
  return {zeroed(total_.weight, 0), zeroed(total_.bias, 1)};
}

template <class S>
void NormGradient<S>::add_up() const {
  const auto add = [&](View<S> total, Index array) {
    if (!total.data) return;
    for (Index tile = 0; tile < sums_.shape[0]; ++tile) base::add_to<S>(total, of_tile(tile, array));
  };
  add(total_.weight, 0);
  add(total_.bias, 1);
}

#define POSLAB_FOR(S)                                                        \
  template void add_weight_gradients<S>(std::span<const WeightGradient<S>>); \
  template class NormGradient<S>;
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::network
