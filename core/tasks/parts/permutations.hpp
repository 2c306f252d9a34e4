// SPDX-License-Identifier: Apache-2.0
// Permutations that are applied one after the other: at every token the one that all so far come to is asked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {

/// The permutations of 0 .. k-1 by their lists of images, in lexicographic order; or the even ones alone.
std::vector<Tokens> permutations_of(Index k, bool even_only);

/// A begin, and then the numbers of permutations of a group, each alike and independent. The begin is what attention
/// can tell x from x x by: without it both are a mean of the same values, wherever they stand.
class StateTracking : public Generated {
 public:
  StateTracking(std::string id, std::vector<Tokens> group);
  Index vocabulary() const override { return elements() + 1; }
  Index tokens(Index size) const override { return size + 1; }
  Bounds bounds(Index size) const override;

 private:
  Index elements() const { return static_cast<Index>(group_.size()); }
  Sequence draw(Dice& dice, Index size) const override;

  std::vector<Tokens> group_;
  std::vector<std::vector<std::int32_t>> then_;  // [first][second]: the number of the one that both come to
};

}  // namespace poslab::tasks
