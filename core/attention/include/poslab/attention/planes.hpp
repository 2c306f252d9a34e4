// SPDX-License-Identifier: Apache-2.0
// The planes that a scheme's `transform` rotates, found by trying. It is linear, so T_p of the basis vectors says all
// of it; and whatever the style, a plane that rotates by theta from position 0 to 1 gives T_1 T_0^-1 the eigenvalues
// exp(+-i theta).
// Dimension letters: A axes of a position, H heads, K head width.
#pragma once

#include <span>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::attention {

using base::Array;
using base::Index;
using base::View;

/// Radians: what the eigenvalues of a float64 matrix cannot tell from no rotation.
inline constexpr double min_angle = 1e-12;

/// Row a is T_p e_a, key side, p the position [A], for every head: [H, K, K].
Array<double> transformed_basis(const host::Scheme& scheme, const host::Context& context,
                                std::span<const double> position, std::span<const View<const double>> weights);

/// The angles of the K / 2 planes of a head in falling order, those that stand still included: every other argument of
/// the eigenvalues, from T_0 e_a and T_1 e_a [K, K]. Rounding gives those that stand still angles up to `min_angle`.
std::vector<double> plane_angles(View<const double> at_zero, View<const double> at_one);

}  // namespace poslab::attention
