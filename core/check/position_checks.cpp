// SPDX-License-Identifier: Apache-2.0
// Positions: far ones, negative ones, the first and the last, and those beyond.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "list.hpp"
#include "poslab/base/text.hpp"
#include "scene.hpp"

namespace poslab::check {
namespace {

// Every number of `positions` moved into what the subject serves.
Block clamped(const Subject& subject, Block positions) {
  for (double& p : positions.numbers)
    p = std::clamp(p, subject.scheme().lowest_position(), subject.scheme().highest_position());
  return positions;
}

}  // namespace

std::string check_far(Trial& trial) {
  int calls = 0, refused = 0;
  trial.for_each_subject([&](const Subject& subject) {
    for (const double far : {-1.0, -1e3, -1e6, -1e9, 1e6, 1e9, 1e12, 9007199254740992.0}) {
      Block positions = consecutive(subject, few_positions);
      for (double& p : positions.numbers) p += far;
      const bool served = subject.scheme()
                              .why_not_positions(*std::min_element(positions.numbers.begin(), positions.numbers.end()),
                                                 *std::max_element(positions.numbers.begin(), positions.numbers.end()))
                              .empty();
      if (!served) {
        ++refused;
        continue;
      }
      for (Call& call :
           all_calls(subject, scene_of(subject, positions, "far"), far == 1e6 ? Which::all : Which::forward)) {
        trial.at(fmt::format("{}: {}, {}", subject.label(), name_of(call), positions_text(call)));
        const Answer answer = subject.perform(call);
        ++calls;
        if (!answer.thrown.empty()) throw Failed(fmt::format("{} {}", name_of(call), answer.words()));
        if (answer.ok())
          require_finite(subject, call);
        else if (answer.text.find_first_of("0123456789") == std::string::npos)
          throw Failed(fmt::format("{} refused {} without naming a number: {}", name_of(call), positions_text(call),
                                   answer.text));
        else
          ++refused;
      }
    }
  });
  return fmt::format("{} calls in {} at positions up to 2^53 and down to -1e9: finite, or refused ({})", calls,
                     trial.scope(), refused);
}

std::string check_limits(Trial& trial) {
  int ends = 0;
  trial.for_each_subject([&](const Subject& subject) {
    const host::Scheme& scheme = subject.scheme();
    for (const auto& [limit, beyond] : {std::pair{scheme.lowest_position(), -1.0}, {scheme.highest_position(), 1.0}}) {
      if (!std::isfinite(limit)) continue;
      ++ends;
      Block at_limit = consecutive(subject, 1);
      std::fill(at_limit.numbers.begin(), at_limit.numbers.end(), limit);
      for (Call& call : all_calls(subject, scene_of(subject, at_limit, "limits"))) {
        trial.at(fmt::format("{}: {} at position {}", subject.label(), name_of(call), base::shortest(limit)));
        const Answer answer = subject.perform(call);
        if (is_named_refusal(subject, answer)) continue;
        if (!answer.ok())
          throw Failed(fmt::format("{} at {}, a position that it says it serves, {}", name_of(call),
                                   base::shortest(limit), answer.words()));
        require_finite(subject, call);
      }
      const double outside = limit + beyond * std::max(1.0, std::abs(limit) * 1e-12);
      const std::string sentence = scheme.why_not_positions(outside, outside);
      if (sentence.find(base::shortest(outside)) == std::string::npos ||
          sentence.find(base::shortest(limit)) == std::string::npos)
        throw Failed(
            fmt::format("position {} is not refused by name and limit, but: {}", base::shortest(outside), sentence));
      // The plugin itself, if it refuses, does so by name, too.
      std::fill(at_limit.numbers.begin(), at_limit.numbers.end(), outside);
      for (const Operation operation : subject.operations()) {
        Call call = forward_call(subject, scene_of(subject, clamped(subject, at_limit), "limits"), operation);
        for (Block* positions : {&call.positions, &call.query_positions, &call.key_positions})
          std::fill(positions->numbers.begin(), positions->numbers.end(), outside);
        trial.at(fmt::format("{}: {} at position {}", subject.label(), name_of(call), base::shortest(outside)));
        const Answer answer = subject.perform(call);
        if (!answer.ok() && (answer.text.find(base::shortest(outside)) == std::string::npos ||
                             answer.text.find(base::shortest(limit)) == std::string::npos))
          throw Failed(fmt::format("{} refused position {} without naming it and the limit {}: {}", name_of(call),
                                   base::shortest(outside), base::shortest(limit), answer.text));
      }
    }
  });
  if (ends == 0) return fmt::format("{} serve all positions", trial.scope());
  return fmt::format("{} ends of the range of positions in {} were served, and what lies beyond was refused", ends,
                     trial.scope());
}

}  // namespace poslab::check
