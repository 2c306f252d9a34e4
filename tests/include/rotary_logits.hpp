// SPDX-License-Identifier: Apache-2.0
// The logits of schemes that rotate at distances of their own making, beside the formula.
// Dimension letters: H heads, K head width.
#pragma once

#include <cmath>

#include "scheme_check.hpp"

namespace rotary {

using poslab::base::Array;
using poslab::base::Index;
namespace host = poslab::host;

inline const host::Context context{40, 512, true};
inline constexpr Index H = 2, K = 6;
inline constexpr double scale = 0.4;

template <class S>
Array<S> logits(const host::Scheme& scheme, const Array<double>& queries, const Array<double>& keys, const Array<S>& q,
                const Array<S>& k) {
  Array<S> out({H, queries.extent(0), keys.extent(0)});
  out.fill(S(77));  // to be overwritten
  scheme.score<S>(context, {queries, keys, 0}, {{}, q.view(), k.view(), scale}, {}, out);
  return out;
}

/// q^T Rot(-distance w) k, where the key lies `distance` before the query.
template <class S>
double product(const Array<S>& q, const Array<S>& k, Index h, Index i, Index j, double distance, bool halves) {
  double sum = 0;
  for (Index m = 0; m < K / 2; ++m) {
    const Index one = halves ? m : 2 * m, other = halves ? m + K / 2 : 2 * m + 1;
    const double angle = distance * std::pow(1e4, -2.0 * static_cast<double>(m) / K);
    const double a = q(h, i, one), b = q(h, i, other), c = k(h, j, one), d = k(h, j, other);
    sum += std::cos(angle) * (a * c + b * d) + std::sin(angle) * (a * d - b * c);
  }
  return sum;
}

}  // namespace rotary
