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
  static constexpr bool row_by_hand = gradient_taken_by<float> != 0 && gradient_taken_by<double> != 0;
  // With x before the row's gradient and the weights' gradients at the end, which are then by hand, too.
  static constexpr Optional optional_of_all = 0b111;
  template <class S>
  static constexpr Arguments all_gradients_taken_by =
      taken<optional_of_all, members::transform_gradient, Returning<void>, T, Context, Side, int, Point, Row<const S>,
            Row<S>, Weights<const S>, Weights<S>>;
  static constexpr bool all_by_hand = all_gradients_taken_by<float> != 0 && all_gradients_taken_by<double> != 0;
  static constexpr bool on_tape = gradients != Gradients::by_hand || !(all_by_hand || (row_by_hand && !takes_weights));

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
      row_by_hand || all_by_hand || !members::transform_gradient::named_in<T>,
      "transform_gradient has another signature than: template <class S> void transform_gradient(Context, Side, "
      "int head, Point position, Row<S> gradient, Weights<const S>) const, of which all but position and gradient may "
      "be left out, or, with the weights' gradients: template <class S> void transform_gradient(Context, Side, int "
      "head, Point position, Row<const S> x, Row<S> gradient, Weights<const S>, Weights<S> weight_gradients) const, of "
      "which Context, Side and head may be left out. It must be public.");

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
    WeightSinks<S> sinks(call, self.weight_rows);
    if constexpr (all_by_hand && gradients == Gradients::by_hand) {
      const Given<S> x(self, call, sinks);
      const Weights<S> weight_gradients = sinks.weights();
      for_rows<S>(self, call,
                  [&](const Context& context, Side side, int h, Point position, Index n, Row<S> g, auto& arrays) {
                    call_with<members::transform_gradient, all_gradients_taken_by<S>>(
                        self.scheme, context, side, h, position, x.row(h, n), g, arrays.weights(), weight_gradients);
                  });
      return;
    }
    if constexpr (row_by_hand && gradients == Gradients::by_hand) {
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

  /// x before the transform where weights' gradients are wanted; else zeros: what is linear in x needs no x for x's
  /// gradient.
  template <class S>
  class Given {
   public:
    Given(const Instance<T>& self, const poslab_call& call, const WeightSinks<S>& sinks)
        : zeros_(static_cast<std::size_t>(self.model.K)) {
      const Index H = self.model.H, N = call.positions ? call.positions->shape[0] : 0, K = self.model.K;
      if (takes_weights && sinks.wanted())
        x_ = checked<const S>(before_transform(call), "x before the transform", {H, N, K});
    }
    Row<const S> row(Index h, Index n) const { return x_.data() ? x_.row(h, n) : Row<const S>(zeros_); }

   private:
    std::vector<S> zeros_;
    Tensor<const S> x_;
  };

  /// Row by row on the tape.
  template <class S>
  static void taped(const Instance<T>& self, const poslab_call& call, const WeightSinks<S>& sinks) {
    const Given<S> x(self, call, sinks);
    Tape tape;
    const int x_array = sinks.count();
    std::vector<Variable> taped_row(static_cast<std::size_t>(self.model.K));
    for_rows<S>(self, call,
                [&](const Context& context, Side side, int h, Point position, Index n, Row<S> g, auto& arrays) {
                  const WeightLeaves leaves(tape, arrays);
                  const Row<const S> source = x.row(h, n);
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
