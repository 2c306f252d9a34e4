// SPDX-License-Identifier: Apache-2.0
// Bits x1 .. xn and n blanks; at the blanks xn .. x1.
#include <cmath>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class ReverseString final : public Generated {
 public:
  ReverseString() : Generated("reverse-string", 1) {}
  Index vocabulary() const override { return 3; }
  Index tokens(Index size) const override { return 2 * size; }
  Bounds bounds(Index size) const override { return certain(0.5, std::log(2.0), expected_largest_share(size, 2)); }

 private:
  Sequence draw(Dice& dice, Index size) const override {
    const Tokens bits = dice.tokens(size, 2);
    return at_blanks(bits, {bits.rbegin(), bits.rend()}, 2);
  }
};

}  // namespace

TaskInfo make_reverse_string() {
  return {.title = "reverse, at blanks",
          .sentence = "At blanks behind a string of bits, say its bits from the last to the first.",
          .source = "Deletang et al. 2023 (ICLR; arXiv:2207.02098), reverse string",
          .size_means = "bits",
          .make = make_task<ReverseString>};
}

}  // namespace poslab::tasks
