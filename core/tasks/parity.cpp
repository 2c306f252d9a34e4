// SPDX-License-Identifier: Apache-2.0
// Bits x1 .. xn and one blank; there whether the ones are odd in number.
#include <cmath>
#include <numeric>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class Parity final : public Generated {
 public:
  Parity() : Generated("parity", 1) {}
  Index vocabulary() const override { return 3; }
  Index tokens(Index size) const override { return size + 1; }
  // The multiset gives it away.
  Bounds bounds(Index /*size*/) const override { return certain(0.5, std::log(2.0), 1); }

 private:
  Sequence draw(Dice& dice, Index size) const override {
    const Tokens bits = dice.tokens(size, 2);
    return at_blanks(bits, {std::accumulate(bits.begin(), bits.end(), 0) % 2}, 2);
  }
};

}  // namespace

TaskInfo make_parity() {
  return {.title = "parity, at a blank",
          .sentence = "At a blank behind a string of bits, say whether its ones are odd in number.",
          .source = "Deletang et al. 2023 (ICLR; arXiv:2207.02098), parity check",
          .size_means = "bits",
          .make = make_task<Parity>};
}

}  // namespace poslab::tasks
