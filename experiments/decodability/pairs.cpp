// SPDX-License-Identifier: Apache-2.0
#include "pairs.hpp"

#include <unordered_map>

namespace poslab::experiments::decodability {
namespace {

// The first `count` cards of a shuffled deck 0 .. cards-1 (Fisher and Yates); only cards that have moved are kept.
std::vector<Index> dealt(const base::Stream& stream, Index cards, Index count) {
  std::unordered_map<Index, Index> moved;
  const auto card_at = [&](Index index) {
    const auto found = moved.find(index);
    return found == moved.end() ? index : found->second;
  };
  std::vector<Index> out;
  for (Index i = 0; i < count; ++i) {
    const Index drawn =
        i + static_cast<Index>(stream.below(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(cards - i)));
    out.push_back(card_at(drawn));
    moved[drawn] = card_at(i);
  }
  return out;
}

}  // namespace

std::vector<Index> shuffled(const data::Draws& draws, Index N) { return dealt(draws.contents("rows", {N}), N, N); }

std::vector<std::pair<Index, Index>> pairs_of(const data::Draws& draws, Index N, Index count) {
  std::vector<std::pair<Index, Index>> pairs;
  for (const Index card : dealt(draws.contents("pairs", {N, count}), N * N, count))
    pairs.emplace_back(card / N, card % N);
  return pairs;
}

}  // namespace poslab::experiments::decodability
