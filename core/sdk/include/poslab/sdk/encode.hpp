// SPDX-License-Identifier: Apache-2.0
// The operation `encode`: an author writes one row, encode(context, position, row, weights).
// Dimension letters: N positions, D model width.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "poslab/sdk/arguments.hpp"
#include "poslab/sdk/arrays.hpp"
#include "poslab/sdk/instance.hpp"
#include "poslab/sdk/members.hpp"
#include "poslab/sdk/mistakes.hpp"

namespace poslab::sdk {

template <class T, Gradients gradients>
struct Encode {
  // Context and weights may be left out.
  static constexpr Optional optional = 0b1001;
  template <class S>
  static constexpr Arguments taken_by =
      taken<optional, members::encode, Returning<void>, T, Context, Point, Row<S>, Weights<const S>>;
  static constexpr bool takes_weights = (taken_by<double> & 0b1000U) != 0;
  // Rows of the call's own scalar where the author's member takes them; else rows of double, rounded once.
  static constexpr bool any_scalar = taken_by<float> != 0 && taken_by<double> != 0;
  template <class S>
  static constexpr Mistake mistake_for =
      mistake<optional, members::encode, Returning<void>, T, Context, Point, Row<S>, Weights<const S>>;
  static constexpr bool right = any_scalar || (taken_by<double> != 0 && !takes_weights);
  POSLAB_SDK_SIGNATURE("encode", right ? Mistake::none : of_both(mistake_for<float>, mistake_for<double>),
                       "template <class S> void encode(Context context, Point position, Row<S> row, Weights<const S> "
                       "weights) const. Context and Weights may be left out; without Weights, Row<double> will do. It "
                       "must be public.");

  // encode_gradient(context, position, gradient of the row, weights, where to add the weights' gradients)
  static constexpr Optional gradient_optional = 0b1;
  template <class S>
  static constexpr Arguments gradient_taken_by = taken<gradient_optional, members::encode_gradient, Returning<void>, T,
                                                       Context, Point, Row<const S>, Weights<const S>, Weights<S>>;
  static constexpr bool by_hand = gradient_taken_by<float> != 0 && gradient_taken_by<double> != 0;
  static_assert(by_hand || !members::encode_gradient::named_in<T>,
                "encode_gradient has another signature than: template <class S> void encode_gradient(Context, Point "
                "position, Row<const S> gradient, Weights<const S>, Weights<S> weight_gradients) const. Context may be "
                "left out. It must be public.");
  static constexpr bool on_tape = takes_weights && !(by_hand && gradients == Gradients::by_hand);
  static_assert(!on_tape || taken_by<Variable> != 0,
                "encode takes weights, so its gradient is derived by calling it with another S than float and double. "
                "Write it for any S: template <class S> void encode(Context context, Point position, Row<S> row, "
                "Weights<const S> weights) const, with class, not std::floating_point.");

  template <class S>
  static void row(const T& scheme, const Context& context, Point position, Row<S> row, Weights<const S> weights) {
    call_with<members::encode, taken_by<S>>(scheme, context, position, row, weights);
  }

  template <class S>
  static void forward(const Instance<T>& self, const poslab_call& call) {
    const Points positions = checked_positions(call.positions, "positions", self.rule);
    const Index N = positions.size(), D = self.model.D;
    const Tensor<S> out = checked<S>(call.output, "output", {N, D});
    const WeightArrays<S> arrays(call, self.weight_rows);
    const Context context = context_of(call);
    if constexpr (any_scalar || std::is_same_v<S, double>) {
      for (Index n = 0; n < N; ++n) row<S>(self.scheme, context, positions[n], out.row(n), arrays.weights());
    } else {
      std::vector<double> exact(static_cast<std::size_t>(D));
      for (Index n = 0; n < N; ++n) {
        row<double>(self.scheme, context, positions[n], exact, {});
        std::transform(exact.begin(), exact.end(), out.row(n).begin(), [](double x) { return static_cast<S>(x); });
      }
    }
  }

  template <class S>
  static void gradient(const Instance<T>& self, const poslab_call& call) {
    const Points positions = checked_positions(call.positions, "positions", self.rule);
    const Index N = positions.size(), D = self.model.D;
    const Tensor<const S> given = checked<const S>(call.output_gradient, "output_gradient", {N, D});
    const WeightArrays<S> arrays(call, self.weight_rows);
    WeightSinks<S> sinks(call, self.weight_rows);
    if (!sinks.wanted()) return;
    const Context context = context_of(call);
    if constexpr (by_hand && gradients == Gradients::by_hand) {
      const Weights<S> weight_gradients = sinks.weights();
      for (Index n = 0; n < N; ++n)
        call_with<members::encode_gradient, gradient_taken_by<S>>(self.scheme, context, positions[n], given.row(n),
                                                                  arrays.weights(), weight_gradients);
    } else if constexpr (on_tape) {
      Tape tape;
      const WeightLeaves leaves(tape, arrays);
      std::vector<Variable> taped(static_cast<std::size_t>(D));
      for (Index n = 0; n < N; ++n) {
        row<Variable>(self.scheme, context, positions[n], taped, leaves.weights());
        for (Index c = 0; c < D; ++c) tape.seed(taped[static_cast<std::size_t>(c)], static_cast<double>(given(n, c)));
        tape.sweep([&](int array, Index offset, double gradient) { sinks.add(array, offset, gradient); });
      }
    }
  }
};

}  // namespace poslab::sdk
