// SPDX-License-Identifier: Apache-2.0
// The operation `transform` in its general form: transform(context, side, head, position, row, weights) changes one row
// of queries or keys in place, linearly. Slower than rotate(...), which serves whatever rotates.
// Dimension letters: N positions, H heads, K head width.
#pragma once

#include <vector>

#include "poslab/sdk/arguments.hpp"
#include "poslab/sdk/arrays.hpp"
#include "poslab/sdk/instance.hpp"
#include "poslab/sdk/members.hpp"
#include "poslab/sdk/mistakes.hpp"

namespace poslab::sdk {

template <class T, Gradients gradients>
struct Transform {
  // Context, side, head and weights may be left out.
  static constexpr Optional optional = 0b100111;
  template <class S>
  static constexpr Arguments taken_by =
      taken<optional, members::transform, Returning<void>, T, Context, Side, int, Point, Row<S>, Weights<const S>>;
  static constexpr bool takes_weights = (taken_by<double> & 0b100000U) != 0;

  // transform_gradient(context, side, head, position, gradient, weights): the gradient of a row, in place.
  template <class S>
  static constexpr Arguments gradient_taken_by = taken<optional, members::transform_gradient, Returning<void>, T,
                                                       Context, Side, int, Point, Row<S>, Weights<const S>>;
  static constexpr bool by_hand = gradient_taken_by<float> != 0 && gradient_taken_by<double> != 0;
  // A gradient by hand is the one of rows; that of weights is derived.
  static constexpr bool on_tape = takes_weights || !by_hand || gradients != Gradients::by_hand;

  template <class S>
  static constexpr Mistake mistake_for =
      mistake<optional, members::transform, Returning<void>, T, Context, Side, int, Point, Row<S>, Weights<const S>>;
  POSLAB_SDK_SIGNATURE("transform", of_both(mistake_for<float>, mistake_for<double>),
                       "template <class S> void transform(Context context, Side side, int head, Point position, Row<S> "
                       "row, Weights<const S> weights) const. All but position and row may be left out. It must be "
                       "public.");
  static_assert(
      !on_tape || taken_by<Variable> != 0,
      "the gradient of transform is derived by calling it with another S than float and double. Write it for any S: "
      "template <class S> void transform(Context context, Side side, int head, Point position, Row<S> row, "
      "Weights<const S> weights) const, with class, not std::floating_point.");
  static_assert(
      by_hand || !members::transform_gradient::named_in<T>,
      "transform_gradient has another signature than: template <class S> void transform_gradient(Context, Side, "
      "int head, Point position, Row<S> gradient, Weights<const S>) const. All but position and gradient may be "
      "left out. It must be public.");

  template <class S>
  static void row(const T& scheme, const Context& context, Side side, int head, Point position, Row<S> row,
                  Weights<const S> weights) {
    call_with<members::transform, taken_by<S>>(scheme, context, side, head, position, row, weights);
  }

  template <class S>
  static void forward(const Instance<T>& self, const poslab_call& call) {
    for_rows<S>(self, call,
                [&](const Context& context, Side side, int h, Point position, Index, Row<S> x, auto& arrays) {
                  row<S>(self.scheme, context, side, h, position, x, arrays.weights());
                });
  }

  template <class S>
  static void gradient(const Instance<T>& self, const poslab_call& call) {
    const WeightSinks<S> sinks(call, self.weight_rows);
    if constexpr (by_hand && gradients == Gradients::by_hand) {
      if (!takes_weights || !sinks.wanted()) {
        for_rows<S>(self, call,
                    [&](const Context& context, Side side, int h, Point position, Index, Row<S> g, auto& arrays) {
                      call_with<members::transform_gradient, gradient_taken_by<S>>(self.scheme, context, side, h,
                                                                                   position, g, arrays.weights());
                    });
        return;
      }
    }
    if constexpr (on_tape) taped<S>(self, call, sinks);
  }

 private:
  /// use(context, side, head, position, n, row, arrays) for each row of output [H, N, K].
  template <class S, class Use>
  static void for_rows(const Instance<T>& self, const poslab_call& call, Use use) {
    const Points positions = checked_positions(call.positions, "positions", self.rule);
    const Index H = self.model.H, N = positions.size();
    const Tensor<S> x = checked<S>(call.output, "output", {H, N, self.model.K});
    const WeightArrays<S> arrays(call, self.weight_rows);
    const Context context = context_of(call);
    for (Index h = 0; h < H; ++h)
      for (Index n = 0; n < N; ++n)
        use(context, static_cast<Side>(call.side), static_cast<int>(h), positions[n], n, x.row(h, n), arrays);
  }

  /// Row by row on the tape. What is linear in x needs no x for x's gradient, but for the weights' gradients it does.
  template <class S>
  static void taped(const Instance<T>& self, const poslab_call& call, const WeightSinks<S>& sinks) {
    const Index H = self.model.H, N = call.positions ? call.positions->shape[0] : 0, K = self.model.K;
    const std::vector<S> zeros(static_cast<std::size_t>(K));
    Tensor<const S> x;
    if (takes_weights && sinks.wanted())
      x = checked<const S>(before_transform(call), "x before the transform", {H, N, K});
    Tape tape;
    const int x_array = sinks.count();
    std::vector<Variable> taped_row(static_cast<std::size_t>(K));
    for_rows<S>(self, call,
                [&](const Context& context, Side side, int h, Point position, Index n, Row<S> g, auto& arrays) {
                  const WeightLeaves leaves(tape, arrays);
                  const Row<const S> source = x.data() ? x.row(h, n) : Row<const S>(zeros);
                  for (std::size_t k = 0; k < taped_row.size(); ++k)
                    taped_row[k] = tape.leaf(static_cast<double>(source[k]), x_array, static_cast<Index>(k));
                  row<Variable>(self.scheme, context, side, h, position, taped_row, leaves.weights());
                  for (std::size_t k = 0; k < taped_row.size(); ++k) tape.seed(taped_row[k], static_cast<double>(g[k]));
                  tape.sweep([&](int array, Index offset, double gradient) {
                    if (array == x_array)
                      g[static_cast<std::size_t>(offset)] = static_cast<S>(gradient);
                    else
                      sinks.add(array, offset, gradient);
                  });
                });
  }
};

}  // namespace poslab::sdk
