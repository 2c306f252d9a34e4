// SPDX-License-Identifier: Apache-2.0
#include "parts/dice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace poslab::tasks {

// 128 bits of a stream stand for its key, which a stream does not tell.
base::Stream stream_within(const base::Stream& draws, std::string_view name) {
  return base::Stream(fmt::format("{:016x}{:016x} {}", draws.bits(0), draws.bits(1), name));
}

Dice::Dice(const base::Stream& draws, Part part, std::uint64_t i, Index size)
    : Dice(stream_within(draws,
                         fmt::format("{} {} of size {}", part == Part::training ? "training" : "held out", i, size))) {}

std::vector<double> Dice::normals(Index count) {
  std::vector<double> drawn(static_cast<std::size_t>(count));
  stream_.fill_normal({drawn.data(), {count}}, next_);
  next_ += static_cast<std::uint64_t>(count);
  return drawn;
}

std::vector<std::int32_t> Dice::tokens(Index count, Index vocabulary) {
  std::vector<std::int32_t> drawn(static_cast<std::size_t>(count));
  for (std::int32_t& one : drawn) one = token(vocabulary);
  return drawn;
}

void Dice::shuffle(std::span<Index> items) {
  for (std::size_t left = items.size(); left > 1; --left)
    std::swap(items[left - 1], items[base::at(below(static_cast<Index>(left)))]);
}

std::vector<Index> Dice::different(Index count, Index n) {
  std::vector<Index> drawn;
  while (static_cast<Index>(drawn.size()) < count) {
    const Index one = below(n);
    if (std::find(drawn.begin(), drawn.end(), one) == drawn.end()) drawn.push_back(one);
  }
  return drawn;
}

}  // namespace poslab::tasks
