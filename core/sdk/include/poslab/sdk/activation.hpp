// SPDX-License-Identifier: Apache-2.0
// The functions that make gates, for any scalar, without overflow at either end and smooth at 0. Not part of
// <poslab/scheme.hpp>: #include <poslab/sdk/activation.hpp>.
#pragma once

#include "poslab/sdk/variable.hpp"

namespace poslab {

/// 1 / (1 + e^-x)
template <class S>
S sigmoid(const S& x) {
  if (x < 0) {
    const S power = exp(x);
    return power / (S(1) + power);
  }
  return S(1) / (S(1) + exp(-x));
}

/// log(1 + e^x)
template <class S>
S softplus(const S& x) {
  return x > 0 ? S(x + log1p(exp(-x))) : S(log1p(exp(x)));
}

/// log(sigmoid(x))
template <class S>
S log_sigmoid(const S& x) {
  return -softplus(S(-x));
}

/// x sigmoid(x)
template <class S>
S silu(const S& x) {
  return x * sigmoid(x);
}

}  // namespace poslab
