// SPDX-License-Identifier: Apache-2.0
// Tokens of 16 letters with a special one at a random place and at the end; there the letter that followed it the first
// time.
#include <cmath>
#include <cstddef>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class InductionHeads final : public Generated {
 public:
  InductionHeads() : Generated("induction-heads", 3) {}
  Index vocabulary() const override { return letters + 1; }
  Index tokens(Index size) const override { return size; }
  // One of n - 2 letters is asked for, any of them.
  Bounds bounds(Index size) const override {
    return certain(1.0 / letters, std::log(static_cast<double>(letters)), expected_largest_share(size - 2, letters));
  }

 private:
  static constexpr Index letters = 16;
  static constexpr std::int32_t special = letters;

  Sequence draw(Dice& dice, Index size) const override {
    Sequence sequence = unasked(dice.tokens(size, letters));
    const std::size_t place = base::at(dice.below(size - 2));
    sequence.tokens[place] = sequence.tokens.back() = special;
    sequence.targets.back() = sequence.tokens[place + 1];
    sequence.mask.back() = 1;
    return sequence;
  }
};

}  // namespace

TaskInfo make_induction_heads() {
  return {.title = "induction heads",
          .sentence = "Where a special token comes again, say the letter that followed it the first time.",
          .source = "Gu and Dao 2023 (arXiv:2312.00752), after Fu et al. 2023 (ICLR; arXiv:2212.14052)",
          .size_means = "tokens",
          .min_size = 3,
          .make = make_task<InductionHeads>};
}

}  // namespace poslab::tasks
