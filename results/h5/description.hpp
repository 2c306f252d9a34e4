// SPDX-License-Identifier: Apache-2.0
// How a unit and a sentence become the attributes that the CF conventions mean: `units` are units of UDUNITS, and
// `long_name` is a label of a few words. The word that poslab's tables show, and the sentence, have attributes beside.
#pragma once

#include <string>

namespace poslab::results::h5 {

inline constexpr const char* unit_name = "unit_name";      ///< the unit as poslab's tables show it
inline constexpr const char* description = "description";  ///< what a variable is, in a sentence

/// The unit that UDUNITS knows for what a declaration calls `unit`. What is counted (positions, pairs) has the unit 1,
/// and so have nats and standard deviations: "rad/position" is "rad", "B" is "byte", "sd" is "1".
std::string udunits(const std::string& unit);

/// The name of a variable as a label: "nearest_distance" is "nearest distance".
std::string label_of(std::string variable);

}  // namespace poslab::results::h5
