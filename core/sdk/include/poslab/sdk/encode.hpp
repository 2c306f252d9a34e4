// SPDX-License-Identifier: Apache-2.0
// The operation `encode`: an author writes one row, encode(context, position, row, weights).
#pragma once

#include "poslab/sdk/arguments.hpp"
#include "poslab/sdk/instance.hpp"

namespace poslab::sdk {

template <class T>
struct Encode {
  // Context and weights may be left out.
  static constexpr Optional optional = 0b1001;
  static constexpr unsigned weights_bit = 0b1000;
  template <class S>
  static constexpr unsigned shape = taken<optional, Calls_encode<T>, Context, Point, Row<S>, Weights<const S>>;
  // Rows of the call's own scalar where the author's member takes them; else rows of double, rounded once.
  static constexpr bool any_scalar = shape<float> != 0 && shape<double> != 0;
  static constexpr bool in_double = !any_scalar && shape<double> != 0 && (shape<double> & weights_bit) == 0;
  static_assert(any_scalar || in_double,
                "encode has another signature than: template <class S> void encode(Context, Point position, Row<S> row, "
                "Weights<const S>) const. Context and Weights may be left out; without Weights, Row<double> will do.");

  template <class S>
  static void row(const T& scheme, const Context& context, Point position, Row<S> row, Weights<const S> weights) {
    call_with_taken<optional>(calls_encode(scheme), context, position, row, weights);
  }

  template <class S>
  static void forward(const Instance<T>& self, const poslab_call& call) {
    const Points positions = checked_positions(call.positions, "positions", self.rule);
    const Index N = positions.size(), D = self.model.D;
    const Tensor<S> out = checked<S>(call.output, "output", {N, D});
    const auto arrays = weight_tensors<const S>(call.weights, call.weight_count, self.weight_rows);
    const Weights<const S> weights(arrays);
    const Context context = context_of(call);
    if constexpr (any_scalar || std::is_same_v<S, double>) {
      for (Index n = 0; n < N; ++n) row<S>(self.scheme, context, positions[n], out.row(n), weights);
    } else {
      std::vector<double> exact(static_cast<std::size_t>(D));
      for (Index n = 0; n < N; ++n) {
        row<double>(self.scheme, context, positions[n], exact, {});
        std::transform(exact.begin(), exact.end(), out.row(n).begin(), [](double x) { return static_cast<S>(x); });
      }
    }
  }

  template <class S>
  static void gradient(const Instance<T>&, const poslab_call&) {}
};

}  // namespace poslab::sdk
