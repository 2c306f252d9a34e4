// SPDX-License-Identifier: Apache-2.0
// Positions: far ones, negative ones, the first and the last, and those beyond.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "calls/make_call.hpp"
#include "list.hpp"
#include "poslab/base/count.hpp"
#include "poslab/base/text.hpp"

namespace poslab::check {
namespace {

// In either form that a number of many digits may have: 1.152921504606847e+18, 1152921504606846976.
bool names(const std::string& text, double number) {
  return text.find(base::shortest(number)) != std::string::npos ||
         text.find(fmt::format("{:.0f}", number)) != std::string::npos;
}

// Every number of `positions` moved into what the instance serves.
Tensor clamped(const Instance& instance, Tensor positions) {
  for (double& p : positions.numbers)
    p = std::clamp(p, instance.scheme().lowest_position(), instance.scheme().highest_position());
  return positions;
}

}  // namespace

std::string check_far(Trial& trial) {
  int calls = 0, refused = 0;
  trial.for_each_instance([&](const Instance& instance) {
    for (const double far : {-1.0, -1e3, -1e6, -1e9, 1e6, 1e9, 1e12, 9007199254740992.0}) {
      Tensor positions = consecutive(instance, few_positions);
      for (double& p : positions.numbers) p += far;
      const auto [lowest, highest] = std::minmax_element(positions.numbers.begin(), positions.numbers.end());
      if (instance.scheme().why_not_positions(*lowest, *highest)) {
        ++refused;
        continue;
      }
      for (Call& call : all_calls(instance, inputs_of(instance, positions, "far"),
                                  far == 1e6 ? Include::gradients : Include::forward)) {
        trial.at(fmt::format("{}: {}, {}", instance.label(), name_of(call), positions_text(call)));
        const CallResult result = instance.invoke(call);
        ++calls;
        if (!result.thrown.empty()) throw Failed(fmt::format("{} {}", name_of(call), result.text_of_status()));
        if (result.ok())
          require_finite(instance, call);
        else if (result.text.find_first_of("0123456789") == std::string::npos)
          throw Failed(fmt::format("{} refused {} without naming a number: {}", name_of(call), positions_text(call),
                                   result.text));
        else
          ++refused;
      }
    }
  });
  return fmt::format("{} in {} at positions up to 2^53 and down to -1e9: finite, or refused ({})",
                     base::counted(calls, "call"), trial.scope(), refused);
}

std::string check_limits(Trial& trial) {
  int ends = 0;
  trial.for_each_instance([&](const Instance& instance) {
    const host::Scheme& scheme = instance.scheme();
    for (const auto& [limit, beyond] : {std::pair{scheme.lowest_position(), -1.0}, {scheme.highest_position(), 1.0}}) {
      if (!std::isfinite(limit)) continue;
      ++ends;
      Tensor at_limit = consecutive(instance, 1);
      std::fill(at_limit.numbers.begin(), at_limit.numbers.end(), limit);
      for (Call& call : all_calls(instance, inputs_of(instance, at_limit, "limits"))) {
        trial.at(fmt::format("{}: {} at position {}", instance.label(), name_of(call), base::shortest(limit)));
        const CallResult result = instance.invoke(call);
        if (is_named_refusal(instance, result)) continue;
        if (!result.ok())
          throw Failed(fmt::format("{} at {}, a position that it says it serves, {}", name_of(call),
                                   base::shortest(limit), result.text_of_status()));
        require_finite(instance, call);
      }
      const double outside = limit + beyond * std::max(1.0, std::abs(limit) * 1e-12);
      if (!scheme.why_not_positions(outside, outside))
        throw Failed(fmt::format("position {} is not refused", base::shortest(outside)));
      // If the plugin itself refuses, it must name the position, too.
      std::fill(at_limit.numbers.begin(), at_limit.numbers.end(), outside);
      for (const Operation operation : instance.operations()) {
        Call call = forward_call(instance, inputs_of(instance, clamped(instance, at_limit), "limits"), operation);
        for (Tensor* positions : {&call.positions, &call.query_positions, &call.key_positions})
          std::fill(positions->numbers.begin(), positions->numbers.end(), outside);
        trial.at(fmt::format("{}: {} at position {}", instance.label(), name_of(call), base::shortest(outside)));
        const CallResult result = instance.invoke(call);
        if (!result.ok() && (!names(result.text, outside) || !names(result.text, limit)))
          throw Failed(fmt::format("{} refused position {} without naming it and the limit {}: {}", name_of(call),
                                   base::shortest(outside), base::shortest(limit), result.text));
      }
    }
  });
  if (ends == 0) return fmt::format("{} serve all positions", trial.scope());
  return fmt::format("{} ends of the range of positions in {} were served, and what lies beyond was refused", ends,
                     trial.scope());
}

}  // namespace poslab::check
