// SPDX-License-Identifier: Apache-2.0
#include "exposure.hpp"

#include <algorithm>
#include <cmath>

namespace poslab::experiments::first_position_bias {

Lengths::Lengths(Distribution distribution, Index longest) : distribution_(distribution), longest_(longest) {}

double Lengths::chance_beyond(Index position) const {
  const auto p = static_cast<double>(position), N = static_cast<double>(longest_);
  if (distribution_ == Distribution::uniform) return (N - p) / N;
  if (position == 0) return 1;
  // The length, rounded up, is beyond p exactly if X is: 1 - Phi(log(p / (N / 4))).
  return 0.5 * std::erfc(std::log(4 * p / N) / std::sqrt(2.0));
}

Index Lengths::draw(const base::Stream& stream, std::uint64_t i) const {
  if (distribution_ == Distribution::uniform)
    return 1 + static_cast<Index>(stream.below(i, static_cast<std::uint64_t>(longest_)));
  const auto N = static_cast<double>(longest_);
  return static_cast<Index>(std::clamp(std::ceil(N / 4 * std::exp(stream.normal(i))), 1.0, N));
}

std::vector<double> expected_updates(const Lengths& lengths, Index longest, Index sequences) {
  std::vector<double> updates;
  for (Index p = 0; p < longest; ++p) updates.push_back(static_cast<double>(sequences) * lengths.chance_beyond(p));
  return updates;
}

std::vector<double> drawn_updates(const Lengths& lengths, Index longest, Index sequences, const base::Stream& stream) {
  // Sequences that end at each position, then summed from the far end: who ends later has been here.
  std::vector<double> updates(static_cast<std::size_t>(longest), 0.0);
  for (Index i = 0; i < sequences; ++i)
    updates[static_cast<std::size_t>(lengths.draw(stream, static_cast<std::uint64_t>(i)) - 1)] += 1;
  for (std::size_t p = updates.size() - 1; p-- > 0;) updates[p] += updates[p + 1];
  return updates;
}

}  // namespace poslab::experiments::first_position_bias
