// SPDX-License-Identifier: Apache-2.0
// Sums over rows that schemes with `score` and `mix` are made of, for any scalar. Sums run in a fixed order, in lanes, so
// that they are vector code and have the same bits on every machine.
#pragma once

#include <cstddef>
#include <type_traits>

#include "poslab/sdk/model.hpp"
#include "poslab/sdk/tape.hpp"
#include "poslab/sdk/variable.hpp"

namespace poslab {

/// sum_k a[k] b[k]; the rows have the same length.
template <class A, class B>
auto dot(const A& a, const B& b) {
  using S = std::decay_t<decltype(a[0] * b[0])>;
  const std::size_t count = a.size();
  if constexpr (std::is_arithmetic_v<S>) {
    constexpr std::size_t lanes = 16;
    S sums[lanes] = {};
    std::size_t k = 0;
    for (; k + lanes <= count; k += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += a[k + lane] * b[k + lane];
    S tail = 0;
    for (; k < count; ++k) tail += a[k] * b[k];
    for (std::size_t half = lanes / 2; half > 0; half /= 2)
      for (std::size_t lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
    return sums[0] + tail;
  } else {
    S sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += a[k] * b[k];
    return sum;
  }
}

/// out[k] += factor row[k]
template <class Out, class S, class In>
void add_scaled(Out&& out, const S& factor, const In& row) {
  const std::size_t count = row.size();
  for (std::size_t k = 0; k < count; ++k) out[k] += factor * row[k];
}

}  // namespace poslab
