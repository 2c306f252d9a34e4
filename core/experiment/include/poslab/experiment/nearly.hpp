// SPDX-License-Identifier: Apache-2.0
// What an answer says of a property that does not hold exactly: the one rule for all of them. What is within its
// tolerance is rounding. What is beyond, and so little that float32 does not see it, holds "to 6e-12", however near the
// tolerance it is. Of what is more, but not ten times its tolerance, nobody can tell, since tolerances are bounds.
#pragma once

#include "poslab/data/answer.hpp"

namespace poslab::experiments {

/// A share below which float32 cannot tell a number from the one beside it.
inline constexpr double hardly = 0x1p-24;

/// Times the tolerance: a deviation above is surely none of rounding.
inline constexpr double certainly_no_rounding = 10;

enum class Deviation { rounding, hardly_any, unclear, certain };

/// What a share is that is 0 where the property holds; NaN counts as rounding, for nothing was found.
inline Deviation deviation_of(double share, double allowed) {
  if (!(share > allowed)) return Deviation::rounding;
  if (share <= hardly) return Deviation::hardly_any;
  return share > certainly_no_rounding * allowed ? Deviation::certain : Deviation::unclear;
}

inline data::AnswerWord deviation_word() { return {"to", "nearly, with no deviation above this"}; }

/// "to 6e-12"
inline data::AnswerNumber holds_to(double deviation) {
  return data::AnswerNumber::exact(deviation, 1, deviation_word().word);
}

}  // namespace poslab::experiments
