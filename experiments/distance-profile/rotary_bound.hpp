// SPDX-License-Identifier: Apache-2.0
// RoFormer's upper bound on how far a rotation lets a logit be from 0 at a distance.
// Dimension letters: R distances.
#pragma once

#include <optional>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::experiments::distance_profile {

using base::View;

/// (1/J) sum_(j=1..J) |sum_(i<j) exp(i r theta_i)|, from the angles of J planes in falling order (Su et al.
/// 2021, 3.4.3).
double bound_at(double distance, const std::vector<double>& angles);

/// attention::plane_angles of every head, from position 0 to 1. Empty where T does not rotate: where some basis vector
/// is not as long at 1 as at 0.
std::vector<std::vector<double>> angles_of_heads(const host::Scheme& scheme, const host::Context& context,
                                                 std::span<const View<const double>> weights);

/// The bound at each distance, its mean over heads; none for a scheme that is no rotation by the offset alone.
std::optional<std::vector<double>> rotary_bound(const host::Scheme& scheme, const host::Context& context,
                                                std::span<const View<const double>> weights,
                                                const std::vector<double>& distances);

}  // namespace poslab::experiments::distance_profile
