// SPDX-License-Identifier: Apache-2.0
// A begin, and then brackets that never close more than was opened, nor open more than eight deep; after each, how deep
// it is. Opening and closing are alike where both are allowed.
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

constexpr std::size_t deepest = 8;

class DyckDepth final : public Generated {
 public:
  DyckDepth() : Generated("dyck-depth", 1) {}
  Index vocabulary() const override { return deepest + 1; }
  Index tokens(Index size) const override { return size + 1; }
  Bounds bounds(Index size) const override {
    std::array<double, deepest + 1> now{1}, asked{};
    for (Index t = 0; t < size; ++t) {
      std::array<double, deepest + 1> next{};
      for (std::size_t depth = 0; depth <= deepest; ++depth) {
        if (depth > 0) next[depth - 1] += now[depth] * (depth == deepest ? 1 : 0.5);
        if (depth < deepest) next[depth + 1] += now[depth] * (depth == 0 ? 1 : 0.5);
      }
      now = next;
      for (std::size_t depth = 0; depth <= deepest; ++depth) asked[depth] += now[depth] / static_cast<double>(size);
    }
    // Unordered: a decoder sees how many of each there are so far.
    return certain(*std::max_element(asked.begin(), asked.end()), entropy(asked), 1);
  }

 private:
  static constexpr std::int32_t opening = 0, closing = 1, begin = 2;

  Sequence draw(Dice& dice, Index size) const override {
    Sequence sequence = unasked({begin});
    std::int32_t depth = 0;
    for (Index t = 0; t < size; ++t) {
      const bool heads = dice.happens(0.5), opens = depth == 0 || (depth < std::int32_t{deepest} && heads);
      depth += opens ? 1 : -1;
      add_token(sequence, opens ? opening : closing, depth);
    }
    return sequence;
  }
};

}  // namespace

TaskInfo make_dyck_depth() {
  return {.title = "depth of brackets",
          .sentence = "After every bracket, say how many are open.",
          .source = "after Yao et al. 2021 (ACL; arXiv:2105.11115), brackets of bounded depth",
          .bidirectional = false,
          .size_means = "brackets",
          .make = make_task<DyckDepth>};
}

}  // namespace poslab::tasks
