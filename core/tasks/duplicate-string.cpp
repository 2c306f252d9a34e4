// SPDX-License-Identifier: Apache-2.0
// Bits x1 .. xn and 2n blanks; at the blanks x1 .. xn x1 .. xn.
#include <cmath>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class DuplicateString final : public Generated {
 public:
  DuplicateString() : Generated("duplicate-string", 1) {}
  Index vocabulary() const override { return 3; }
  Index tokens(Index size) const override { return 3 * size; }
  Bounds bounds(Index size) const override { return certain(0.5, std::log(2.0), expected_largest_share(size, 2)); }

 private:
  Sequence draw(Dice& dice, Index size) const override {
    const Tokens bits = dice.tokens(size, 2);
    return at_blanks(bits, joined(bits, bits), 2);
  }
};

}  // namespace

TaskInfo make_duplicate_string() {
  return {.title = "duplicate, at blanks",
          .sentence = "At blanks behind a string of bits, say its bits twice.",
          .source = "Deletang et al. 2023 (ICLR; arXiv:2207.02098), duplicate string",
          .size_means = "bits",
          .make = make_task<DuplicateString>};
}

}  // namespace poslab::tasks
