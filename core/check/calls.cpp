// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "poslab/base/text.hpp"
#include "scene.hpp"
#include "trial.hpp"

namespace poslab::check {
namespace {

bool is_allowed(double x, bool may_be_infinite) {
  return std::isfinite(x) || (may_be_infinite && std::isinf(x) && x < 0);
}

}  // namespace

const char* scalar_text(const Call& call) { return call.scalar == POSLAB_F32 ? "float32" : "float64"; }

std::string where(const Call& call) { return fmt::format("{} in {}", name_of(call), scalar_text(call)); }

Scene usual_scene(const Subject& subject) { return scene_of(subject, consecutive(subject, few_positions), "calls"); }

Answer succeed(const Subject& subject, Call& call, const Guard& guard) {
  Answer answer = subject.perform(call, guard);
  if (!answer.ok()) throw Failed(fmt::format("{} {}", where(call), answer.words()));
  return answer;
}

// Fails if an output holds what it must not. Hidden entries count too: the mask comes later and adds, it does not
// replace.
void require_finite(const Subject& subject, Call& call) {
  const bool may_be_infinite = subject.claims(POSLAB_MAY_BE_INFINITE) && !call.gradient;
  for (const Member& member : members_of(call)) {
    if (!member.is_output) continue;
    for (std::size_t i = 0; i < member.block->numbers.size(); ++i) {
      const double x = member.block->numbers[i];
      if (!is_allowed(x, may_be_infinite))
        throw Failed(fmt::format("{} in {}: entry {} of `{}` is {}{}", name_of(call), scalar_text(call), i, member.name,
                                 base::shortest(x),
                                 std::isinf(x) && x < 0 ? ", and the claim may_be_infinite is missing" : ""));
    }
  }
}

std::string positions_text(const Call& call) {
  const Block& positions = call.positions.there() ? call.positions : call.key_positions;
  const auto [lowest, highest] = std::minmax_element(positions.numbers.begin(), positions.numbers.end());
  return positions.numbers.empty()
             ? "no positions"
             : fmt::format("positions {} to {}", base::shortest(*lowest), base::shortest(*highest));
}

// One axis of several may end earlier than the plugin can say; then it refuses positions there itself, naming a number.
bool is_named_refusal(const Subject& subject, const Answer& answer) {
  return subject.axes() > 1 && answer.status == POSLAB_OUT_OF_RANGE &&
         answer.text.find_first_of("0123456789") != std::string::npos;
}

}  // namespace poslab::check
