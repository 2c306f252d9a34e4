// SPDX-License-Identifier: Apache-2.0
// How fast each plane of a scheme rotates, along each axis of a position.
// Dimension letters: A axes of a position, H heads, J planes, K head width, N positions.
#pragma once

#include <optional>

#include "poslab/base/array.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::experiments::clock {

using base::Array;
using base::Index;
using base::View;

/// [A, H, J] radians per position, falling along the planes; 0 of one that stands still along this axis.
///
/// Along one axis those that the scheme declares (H = 1: it declares those of one head, or of one code). Else of a
/// scheme that transforms: every other argument of the eigenvalues of T_1 T_0^-1, 1 being one step along the axis, from
/// T_p e_a for basis vectors e_a, key side; a rate above pi looks like one below it. None where there are no planes.
std::optional<Array<double>> rates(const host::Scheme& scheme, const host::Context& context, Index axes,
                                   std::span<const View<const double>> weights);

/// Greatest less least position along an axis of [N, A].
double extent_along(View<const double> positions, Index axis);

/// The angle of a plane at a position, from 0 up to 2 pi.
double angle_at(double rate, double position);

}  // namespace poslab::experiments::clock
