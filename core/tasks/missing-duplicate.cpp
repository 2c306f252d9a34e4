// SPDX-License-Identifier: Apache-2.0
// A string of n/2 bits twice, one of its bits replaced by 2, a 3 behind it where n is odd, and one blank; there the bit
// that is missing. For n = 1 the input is 1 and so is the answer.
#include <cmath>
#include <cstddef>
#include <utility>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class MissingDuplicate final : public Generated {
 public:
  MissingDuplicate() : Generated("missing-duplicate", 1) {}
  Index vocabulary() const override { return 5; }
  Index tokens(Index size) const override { return size + 1; }
  // Unordered: of the two counts that are left the odd one is the missing bit's. What is hard for a network without
  // positions is to see which is odd.
  Bounds bounds(Index size) const override { return size == 1 ? certain(1, 0, 1) : certain(0.5, std::log(2.0), 1); }

 private:
  static constexpr std::int32_t missing = 2, padding = 3, blank = 4;

  Sequence draw(Dice& dice, Index size) const override {
    if (size == 1) return at_blanks({1}, {1}, blank);
    const Tokens half = dice.tokens(size / 2, 2);
    Tokens bits = joined(half, half);
    const auto place = static_cast<std::size_t>(dice.below(size / 2 * 2));
    const std::int32_t answer = std::exchange(bits[place], missing);
    if (size % 2 == 1) bits.push_back(padding);
    return at_blanks(bits, {answer}, blank);
  }
};

}  // namespace

TaskInfo make_missing_duplicate() {
  return {.title = "missing duplicate",
          .sentence = "Say the bit that is missing in a string that stands there twice.",
          .source = "Deletang et al. 2023 (ICLR; arXiv:2207.02098), missing duplicate string",
          .size_means = "tokens of both strings",
          .make = make_task<MissingDuplicate>};
}

}  // namespace poslab::tasks
