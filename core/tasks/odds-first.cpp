// SPDX-License-Identifier: Apache-2.0
// Bits x0 .. x(n-1) and n blanks; at the blanks x1 x3 .. and then x0 x2 ..: the authors' code, not its comment.
#include <cmath>
#include <cstddef>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class OddsFirst final : public Generated {
 public:
  OddsFirst() : Generated("odds-first", 1) {}
  Index vocabulary() const override { return 3; }
  Index tokens(Index size) const override { return 2 * size; }
  Bounds bounds(Index size) const override { return certain(0.5, std::log(2.0), expected_largest_share(size, 2)); }

 private:
  Sequence draw(Dice& dice, Index size) const override {
    const Tokens bits = dice.tokens(size, 2);
    Tokens answer;
    for (std::size_t i = 1; i < bits.size(); i += 2) answer.push_back(bits[i]);
    for (std::size_t i = 0; i < bits.size(); i += 2) answer.push_back(bits[i]);
    return at_blanks(bits, answer, 2);
  }
};

}  // namespace

TaskInfo make_odds_first() {
  return {
      .title = "odds first, at blanks",
      .sentence = "At blanks behind a string of bits, say every second one, from its second on, and then the others.",
      .source = "Deletang et al. 2023 (ICLR; arXiv:2207.02098), odds first",
      .size_means = "bits",
      .make = make_task<OddsFirst>};
}

}  // namespace poslab::tasks
