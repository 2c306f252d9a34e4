// SPDX-License-Identifier: Apache-2.0
// Sines and cosines of angles that weights have a part in: in double for numbers, whatever the scalar of the weights;
// on the tape where gradients are derived. Not part of <poslab/scheme.hpp>: #include <poslab/sdk/angles.hpp>.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>

#include "poslab/sdk/trigonometry.hpp"
#include "poslab/sdk/variable.hpp"

namespace poslab {

/// What angles and sums over weights of type S are computed in: double for float and double, else S itself.
template <class S>
using Exact = std::conditional_t<std::is_arithmetic_v<S>, double, S>;

/// Calls use(m, sine, cosine) for every angle `factor * frequencies[m]`, each times `scale`: numbers are rounded to S
/// once.
template <class S, class Use>
void for_scaled_sines_and_cosines(Exact<S> scale, double factor, std::span<const double> frequencies, Use use) {
  if constexpr (std::is_arithmetic_v<S>)
    sdk::for_each_angle<S>(
        factor, frequencies, [scale](double x) { return static_cast<S>(scale * x); }, use);
  else
    for_sines_and_cosines(factor, frequencies,
                          [&](std::size_t m, double sine, double cosine) { use(m, scale * sine, scale * cosine); });
}

/// Calls use(i, sine, cosine) for the angles angle(0) .. angle(count - 1), each an Exact<S>; numbers in batches.
template <class S, class Angle, class Use>
void for_angles(std::size_t count, Angle angle, Use use) {
  if constexpr (std::is_arithmetic_v<S>) {
    constexpr std::size_t batch = 128;
    double angles[batch];
    for (std::size_t first = 0; first < count; first += batch) {
      const std::size_t part = std::min(batch, count - first);
      for (std::size_t k = 0; k < part; ++k) angles[k] = angle(first + k);
      for_sines_and_cosines(1, {angles, part},
                            [&](std::size_t k, double sine, double cosine) { use(first + k, sine, cosine); });
    }
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      const S at = angle(i);
      use(i, sin(at), cos(at));
    }
  }
}

}  // namespace poslab
