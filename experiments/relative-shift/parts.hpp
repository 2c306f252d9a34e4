// SPDX-License-Identifier: Apache-2.0
// The parts of relative-shift, one file each: contents that are moved, what an additive logit is made of, the linear
// map from one signature to the next, and the composition of two turns.
// Dimension letters: C contents, N positions, M positions of the window, D model width, H heads, K head width.
#pragma once

#include <span>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/experiments/experiment.hpp"

namespace poslab::experiments::relative_shift {

using base::Array;
using base::Index;
using base::View;

/// What every part is given.
template <class S>
struct Setting {
  const host::Scheme& scheme;
  host::Context context;  ///< of length N, whatever positions are asked for
  std::span<const View<const S>> weights;
  Index contents;  ///< C
};

inline constexpr Index window = 64;  ///< consecutive positions whose logits are compared, or fewer if N is less

/// Random contents of a window, float64 draws rounded to S.
template <class S>
struct Contents {
  Array<S> query, key;  ///< [C, H, M, K]
};

/// How far logits move when all positions move together.
struct ContentError {
  std::vector<double> largest,
      root_mean_square;  ///< one a shift, over the rms logit; NaN where the scheme has no such positions
};
template <class S>
ContentError content_error(const Setting<S>&, const Contents<S>&, const std::vector<double>& shifts);

/// What the logits of an additive scheme are made of: variances of <x, y>, <x, p> + <p, y> and <p, p>, over their sum.
struct Shares {
  double content = 0, cross = 0, position = 0;
};
template <class S>
Shares shares(const Setting<S>&, const Contents<S>&);

/// norm(phi(p + k) - M_k phi(p)) / norm(phi(p + k)) for each step k; empty where fewer than 2 D
/// positions can be fitted.
template <class S>
std::vector<double> linear_map_residuals(const Setting<S>&, Index positions, const std::vector<double>& steps);

/// max norm(T_m^T T_n x - T_(n-m) x) / norm(x) over heads, contents, and positions m <= n below `positions`.
template <class S>
double composition_error(const Setting<S>&, const Contents<S>&, Index positions);

}  // namespace poslab::experiments::relative_shift
