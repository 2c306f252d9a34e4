// SPDX-License-Identifier: Apache-2.0
// What counts as equal when a claim is attacked: the tolerances that the experiments declare for the same questions (a
// test holds the two together), none of our own.
#pragma once

#include "poslab/data/catalogue.hpp"

namespace poslab::check {

/// relative-shift, content_error: the change of a logit over the rms logit.
inline constexpr data::Tolerance logit_rounding{1e-13, 0, 4e-16, 0, false};
/// norm-preservation, isometry_error: the change of an inner product over the norms.
inline constexpr data::Tolerance isometry_rounding{1e-14, 0, 0, 0, false};
/// norm-preservation, ratio_mean: the ratio of two norms.
inline constexpr data::Tolerance norm_rounding{1e-14, 0, 0, 0, false};
/// uniqueness, collisions: codes this near, over their rms norm, cannot be told apart.
inline constexpr double collision = 1e-9;

}  // namespace poslab::check
