// SPDX-License-Identifier: Apache-2.0
// What an answer says of a property that does not hold exactly, but so nearly that it hardly matters.
#pragma once

#include "poslab/data/answer.hpp"

namespace poslab::experiments {

/// A share below which float32 cannot tell a number from the one beside it.
inline constexpr double hardly = 0x1p-24;

/// "to 6e-12"
inline data::AnswerNumber holds_to(double deviation) { return data::AnswerNumber::exact(deviation, 1, "to"); }

}  // namespace poslab::experiments
