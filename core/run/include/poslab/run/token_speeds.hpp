// SPDX-License-Identifier: Apache-2.0
// How many tokens a second cells trained on, by what they said of themselves in this run: for provenance alone.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace poslab::run {

class TokenSpeeds {
 public:
  using Clock = std::chrono::steady_clock;
  /// A cell has seen so many by now. `index` in the plan.
  void at(std::size_t index, std::uint64_t tokens, Clock::time_point now = Clock::now());
  bool empty() const { return spans_.empty(); }
  /// `{"3": 16200, "7": 15800}`: by index, those that have spoken twice.
  std::string to_json() const;

 private:
  struct Span {
    std::uint64_t first_tokens, last_tokens;
    Clock::time_point first, last;  // when there were so many
  };
  std::map<std::size_t, Span> spans_;
};

}  // namespace poslab::run
