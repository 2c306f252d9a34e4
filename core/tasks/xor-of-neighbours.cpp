// SPDX-License-Identifier: Apache-2.0
// Bits, one of them masked, not at an end; there the exclusive or of its two neighbours.
#include <cmath>
#include <cstddef>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class XorOfNeighbours final : public Generated {
 public:
  XorOfNeighbours() : Generated("xor-of-neighbours", 3) {}
  Index vocabulary() const override { return 3; }
  Index tokens(Index size) const override { return size; }
  Bounds bounds(Index size) const override { return certain(0.5, std::log(2.0), unequal_bits_accuracy(size - 1)); }

 private:
  static constexpr std::int32_t masked = 2;

  Sequence draw(Dice& dice, Index size) const override {
    const Tokens bits = dice.tokens(size, 2);
    const auto place = static_cast<std::size_t>(1 + dice.below(size - 2));
    Sequence sequence = unasked(bits);
    sequence.tokens[place] = masked;
    sequence.targets[place] = bits[place - 1] ^ bits[place + 1];
    sequence.mask[place] = 1;
    return sequence;
  }
};

}  // namespace

TaskInfo make_xor_of_neighbours() {
  return {.title = "exclusive or of neighbours",
          .sentence = "At the masked bit, say whether its two neighbours differ.",
          .source = "after Haviv et al. 2022 (EMNLP; arXiv:2203.16634), masked language models without positions",
          .causal = false,
          .size_means = "tokens",
          .min_size = 3,
          .make = make_task<XorOfNeighbours>};
}

}  // namespace poslab::tasks
