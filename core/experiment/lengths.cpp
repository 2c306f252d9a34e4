// SPDX-License-Identifier: Apache-2.0
#include "poslab/experiment/lengths.hpp"

#include <fmt/format.h>

#include <set>

#include "poslab/base/random.hpp"

namespace poslab::experiments {

using base::Index;

namespace {

bool is_prime(Index n) {
  for (Index d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return n > 1;
}

}  // namespace

std::optional<Index> last_prime(Index lowest, Index highest) {
  for (Index n = highest; n >= lowest; --n)
    if (is_prime(n)) return n;
  return std::nullopt;
}

std::optional<Index> drawn_length(Index lowest, Index highest) {
  if (highest < lowest) return std::nullopt;
  const base::Stream stream(fmt::format("a length of {} to {}", lowest, highest));
  return lowest + static_cast<Index>(stream.below(0, static_cast<std::uint64_t>(highest - lowest + 1)));
}

std::vector<Index> lengths_within(Index lowest, Index highest, std::initializer_list<std::optional<Index>> lengths) {
  std::set<Index> within;
  for (const std::optional<Index>& length : lengths)
    if (length && *length >= lowest && *length <= highest) within.insert(*length);
  return {within.begin(), within.end()};
}

}  // namespace poslab::experiments
