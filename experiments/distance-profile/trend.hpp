// SPDX-License-Identifier: Apache-2.0
// Whether the mean logit falls with distance, for each kind of contents and in each head, as far as the repeats of a
// point can say.
#pragma once

#include <cstddef>
#include <vector>

#include "distance-profile.hpp"

namespace poslab::experiments::distance_profile {

/// The fall is above 0.1 sd; at every step in every repeat, surely above 0 and by five errors, but not surely above 0.1
/// sd; below -0.1 sd; between; or none of these can be told. By Student's t at 19 in 20, or because all of 8 repeats or
/// more say so.
///
/// Softmax compares all keys of a query, its own among them, so that all this is of the fall from distance 0. Where
/// that is the own key's doing alone, it is said: falls_after_own, where the own key is below keys that fall from
/// distance 1 on by more than 0.1 sd; own_alone, where it is above keys that are level or rise from there, none lower
/// than the nearest.
enum class Trend { falls, falls_after_own, own_alone, falls_little, rises, flat, unclear, undefined };

struct Finding {
  Contents contents;
  const char* called;  ///< these: "random", "equal", "all-ones"
  Trend trend;
  data::MeanAndError fall;
  bool at_every_step;  ///< it falls, and no step rises by more than rounding and, of 5 repeats or more, 5 standard
                       ///< errors
  data::MeanAndError after_own = {};      ///< the fall from distance 1 on; values = 0 of fewer than three distances
  std::size_t steps = 0, steps_down = 0;  ///< from distance 1 on, and along which of them the mean does not rise so
};

/// One for each kind of contents.
std::vector<Finding> findings(const DistanceProfile& at, const Point& point);

/// How many heads surely fall, and surely rise, by more than 0.1 sd for all-ones contents: in every repeat, of which
/// there are 8 or more where weights were drawn. Their mean does not show that they differ.
struct Heads {
  std::size_t all = 0, falling = 0, rising = 0;
};
Heads heads_of(const Point& point);

/// Drawn weights of which there is but one draw: it says nothing of others.
bool is_one_draw(const Point& point);

}  // namespace poslab::experiments::distance_profile
