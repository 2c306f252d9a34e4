// SPDX-License-Identifier: Apache-2.0
#include "calls/make_call.hpp"

#include <fmt/format.h>

#include <cmath>

#include "calls/place.hpp"
#include "poslab/base/text.hpp"

namespace poslab::check {
namespace {

bool is_allowed(double x, bool may_be_infinite) {
  return std::isfinite(x) || (may_be_infinite && std::isinf(x) && x < 0);
}

const char* rule_against(double x, bool may_be_infinite, bool of_gradient) {
  if (std::isnan(x)) return "";
  if (of_gradient) return "; a gradient is finite";
  if (x > 0) return may_be_infinite ? "; may_be_infinite allows -inf only, which hides a key" : "";
  return ", and the claim may_be_infinite is missing";
}

}  // namespace

CallResult require_success(const Instance& instance, Call& call, Guard guard, const FaultReport& on_fault) {
  CallResult result = instance.invoke(call, guard, on_fault);
  if (!result.ok())
    throw Failed(fmt::format("{}{} {}", call_text(call), conditions_text(call), result.text_of_status()));
  return result;
}

void require_finite(const Instance& instance, Call& call) {
  const bool may_be_infinite = instance.claims(POSLAB_MAY_BE_INFINITE) && !call.gradient;
  for (const Member& member : members_of(call)) {
    if (!member.is_output) continue;
    for (std::size_t i = 0; i < member.tensor->numbers.size(); ++i) {
      const double x = member.tensor->numbers[i];
      if (!is_allowed(x, may_be_infinite))
        throw Failed(fmt::format("{}{}: {} is {}{}", call_text(call), conditions_text(call),
                                 entry_text(call, member, i), base::shortest(x),
                                 rule_against(x, may_be_infinite, call.gradient)));
    }
  }
}

bool is_named_refusal(const Instance& instance, const CallResult& result) {
  return instance.axes() > 1 && result.status == POSLAB_OUT_OF_RANGE &&
         result.text.find_first_of("0123456789") != std::string::npos;
}

}  // namespace poslab::check
