// SPDX-License-Identifier: Apache-2.0
// What most checks require of a call.
#pragma once

#include "calls/call.hpp"
#include "failure.hpp"
#include "instance.hpp"

namespace poslab::check {

/// Makes the call; throws Failed unless it is answered with OK.
CallResult require_success(const Instance& instance, Call& call, Guard guard = Guard::none,
                           const FaultReport& on_fault = {});
/// Throws Failed if an output holds nan or an infinity that is not allowed. Entries that a mask will hide count, too:
/// it is added to them, it does not replace them.
void require_finite(const Instance& instance, Call& call);
/// One axis of several may end earlier than the plugin can say; then it refuses positions there itself, naming a
/// number.
bool is_named_refusal(const Instance& instance, const CallResult& result);

}  // namespace poslab::check
