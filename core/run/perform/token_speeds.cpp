// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/token_speeds.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "poslab/base/json.hpp"

namespace poslab::run {

void TokenSpeeds::at(std::size_t index, std::uint64_t tokens, Clock::time_point now) {
  const auto [found, is_first] = spans_.try_emplace(index, Span{tokens, tokens, now, now});
  Span& span = found->second;
  if (tokens < span.last_tokens) span = {tokens, tokens, now, now};  // it was begun again
  if (tokens == span.last_tokens) return;                            // it evaluates, or writes
  span.last_tokens = tokens;
  span.last = now;
}

std::string TokenSpeeds::to_json() const {
  base::Json speeds = base::Json::object();
  for (const auto& [index, span] : spans_) {
    const double seconds = std::chrono::duration<double>(span.last - span.first).count();
    if (seconds > 0)
      speeds[std::to_string(index)] = std::llround(static_cast<double>(span.last_tokens - span.first_tokens) / seconds);
  }
  return base::json_text(speeds);
}

}  // namespace poslab::run
