// SPDX-License-Identifier: Apache-2.0
// The planes that a scheme rotates, and which of them training never sees complete a circle.
// Dimension letters: H heads, K head width.
#pragma once

#include <optional>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::experiments::extrapolation {

using base::Index;
using base::View;

/// Radians per position of the planes that rotate (angles above 0), of all heads together.
struct Planes {
  std::vector<double> angles;
  Index heads = 1;  ///< how many heads the angles are of: 1 where the scheme declares those of one head
};

/// Declared by the scheme (`inverse_frequency`); else measured where it has `transform`; `none` has no planes; for any
/// other scheme the question means nothing.
std::optional<Planes> planes(const host::Scheme& scheme, const host::Context& context,
                             std::span<const View<const double>> weights);

/// The arguments of the eigenvalues of T_1 T_0^-1, key side, from T_p e_a for basis vectors e_a: whatever the style, a
/// plane that rotates by theta gives the pair exp(+-i theta). Angles up to attention::min_angle count as still.
Planes measured_planes(const host::Scheme& scheme, const host::Context& context,
                       std::span<const View<const double>> weights);

struct Unseen {
  double planes = 0;  ///< a head
  double phase = 0;   ///< share of all planes; 0 where there are none
};

/// Planes with theta L < 2 pi: training at length L never shows their whole circle.
Unseen unseen(const Planes& planes, Index train_length);

}  // namespace poslab::experiments::extrapolation
