// SPDX-License-Identifier: Apache-2.0
// The functions that make gates, for any scalar, without overflow at either end and smooth at 0.
#pragma once

#include <concepts>
#include <type_traits>

#include "poslab/sdk/variable.hpp"

namespace poslab {

namespace sdk {
template <class S>
concept Scalar = std::floating_point<S> || std::is_same_v<S, Variable>;
}  // namespace sdk

/// 1 / (1 + e^-x)
template <sdk::Scalar S>
S sigmoid(const S& x) {
  if (x < 0) {
    const S power = exp(x);
    return power / (S(1) + power);
  }
  return S(1) / (S(1) + exp(-x));
}

/// log(1 + e^x)
template <sdk::Scalar S>
S softplus(const S& x) {
  return x > 0 ? S(x + log1p(exp(-x))) : S(log1p(exp(x)));
}

/// log(sigmoid(x))
template <sdk::Scalar S>
S log_sigmoid(const S& x) {
  return -softplus(S(-x));
}

/// x sigmoid(x)
template <sdk::Scalar S>
S silu(const S& x) {
  return x * sigmoid(x);
}

// For whole numbers and positions.
inline double sigmoid(double x) { return sigmoid<double>(x); }
inline double softplus(double x) { return softplus<double>(x); }
inline double log_sigmoid(double x) { return log_sigmoid<double>(x); }
inline double silu(double x) { return silu<double>(x); }

}  // namespace poslab
