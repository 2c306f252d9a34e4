// SPDX-License-Identifier: Apache-2.0
// The operation `transform`, as an author writes it best: turn(context, side, position, cosines, sines, weights) gives
// the angle of each plane, and the pairs of channels of all heads are turned here; gradients turn back.
#pragma once

#include <algorithm>

#include "poslab/sdk/arguments.hpp"
#include "poslab/sdk/instance.hpp"
#include "poslab/sdk/rotation.hpp"

namespace poslab::sdk {

template <class T>
struct Turn {
  // Context, side and weights may be left out.
  static constexpr Optional optional = 0b100011;
  static constexpr unsigned weights_bit = 0b100000;
  template <class S>
  static constexpr unsigned shape =
      taken<optional, Calls_turn<T>, Context, Side, Point, Row<S>, Row<S>, Weights<const S>>;
  // Without weights in double, rounded once, since the angles of far positions need it; else in the call's scalar.
  static constexpr bool in_double = shape<double> != 0 && (shape<double> & weights_bit) == 0;
  static constexpr bool any_scalar = !in_double && shape<float> != 0 && shape<double> != 0;
  static_assert(any_scalar || in_double,
                "turn has another signature than: void turn(Context, Side, Point position, Row<double> cosines, "
                "Row<double> sines) const, of which Context and Side may be left out; with Weights<const S> as last "
                "argument it is a template on S, and the rows are Row<S>.");

  template <class S>
  static void planes(const T& scheme, const Context& context, Side side, Point position, Row<S> cosines, Row<S> sines,
                     Weights<const S> weights) {
    call_with_taken<optional>(calls_turn(scheme), context, side, position, cosines, sines, weights);
  }

  static Index width(const Instance<T>& self) {
    return static_cast<Index>(rotary_width_of(self.scheme, self.model, self.model.K));
  }
  static Pairing pairing(const Instance<T>& self) {
    return Pairing(pairing_of(self.scheme, self.model, Pairing::interleaved));
  }

  /// For `create`: refuses a width that is no number of pairs.
  static void check(const Instance<T>& self) {
    const Index turned = width(self), K = self.model.K;
    require(turned >= 0 && turned <= K && turned % 2 == 0, "channels turn in pairs: the turned width must be even, and at "
            "most the head width ", K, ", not ", turned);
  }

  /// output [H, N, K] turned in place; backwards: turned by the opposite angles, which is the transposed turn.
  template <class S>
  static void apply(const Instance<T>& self, const poslab_call& call, bool backwards) {
    const Points positions = checked_positions(call.positions, "positions", self.rule);
    const Index H = self.model.H, N = positions.size(), K = self.model.K, planes_count = width(self) / 2;
    const Tensor<S> x = checked<S>(call.output, "output", {H, N, K});
    const auto arrays = weight_tensors<const S>(call.weights, call.weight_count, self.weight_rows);
    const Weights<const S> weights(arrays);
    const Context context = context_of(call);
    const Side side = static_cast<Side>(call.side);
    // Some positions at a time: their planes stay in the cache while all heads use them.
    constexpr Index block = 32;
    std::vector<S> planes_of_block(static_cast<std::size_t>(2 * block * planes_count));
    S* const cosines = planes_of_block.data();
    S* const sines = cosines + block * planes_count;
    using Exact = std::conditional_t<in_double, double, S>;
    std::vector<Exact> exact(static_cast<std::size_t>(2 * planes_count));
    const Row<Exact> exact_cosines(exact.data(), static_cast<std::size_t>(planes_count));
    const Row<Exact> exact_sines(exact.data() + planes_count, static_cast<std::size_t>(planes_count));
    Weights<const Exact> exact_weights;
    if constexpr (!in_double) exact_weights = weights;
    const Pairing pairs = pairing(self);
    for (Index first = 0; first < N; first += block) {
      const Index count = std::min(block, N - first);
      for (Index n = 0; n < count; ++n) {
        planes<Exact>(self.scheme, context, side, positions[first + n], exact_cosines, exact_sines, exact_weights);
        for (Index m = 0; m < planes_count; ++m) {
          const Exact sine = exact_sines[static_cast<std::size_t>(m)];
          cosines[n * planes_count + m] = static_cast<S>(exact_cosines[static_cast<std::size_t>(m)]);
          sines[n * planes_count + m] = static_cast<S>(backwards ? -sine : sine);
        }
      }
      for (Index h = 0; h < H; ++h)
        for (Index n = 0; n < count; ++n)
          turn_row(pairs, &x(h, first + n, 0), cosines + n * planes_count, sines + n * planes_count, planes_count);
    }
  }

  template <class S>
  static void forward(const Instance<T>& self, const poslab_call& call) {
    apply<S>(self, call, false);
  }
  template <class S>
  static void gradient(const Instance<T>& self, const poslab_call& call) {
    apply<S>(self, call, true);
  }
};

}  // namespace poslab::sdk
