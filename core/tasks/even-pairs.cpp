// SPDX-License-Identifier: Apache-2.0
// Bits x1 .. xn and one blank; there whether the pairs 01 and 10 are odd in number: x1 xor xn.
#include <cmath>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class EvenPairs final : public Generated {
 public:
  EvenPairs() : Generated("even-pairs", 1) {}
  Index vocabulary() const override { return 3; }
  Index tokens(Index size) const override { return size + 1; }
  Bounds bounds(Index size) const override {
    return size == 1 ? certain(1, 0, 1) : certain(0.5, std::log(2.0), unequal_bits_accuracy(size));
  }

 private:
  Sequence draw(Dice& dice, Index size) const override {
    const Tokens bits = dice.tokens(size, 2);
    return at_blanks(bits, {bits.front() ^ bits.back()}, 2);
  }
};

}  // namespace

TaskInfo make_even_pairs() {
  return {.title = "even pairs",
          .sentence = "Say whether a string of bits has an odd number of pairs 01 and 10.",
          .source = "Deletang et al. 2023 (ICLR; arXiv:2207.02098), even pairs",
          .size_means = "bits",
          .make = make_task<EvenPairs>};
}

}  // namespace poslab::tasks
