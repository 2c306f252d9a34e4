// SPDX-License-Identifier: Apache-2.0
// The even process: bits whose ones come in even numbers between zeros. In state A both follow alike, a 0 leads to A
// and a 1 to B; in B only 1 follows, and leads to A. The state is known once a zero was seen, and needs the parity of
// the ones since then: no window of fixed length is enough.
#include <algorithm>
#include <cmath>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class EvenProcess final : public Generated {
 public:
  EvenProcess() : Generated("even-process", 1) {}
  Index vocabulary() const override { return 2; }
  Index tokens(Index size) const override { return size; }

  // At token t either t + 1 ones were seen, with the probabilities a and b of being in A and B; or a zero, and the
  // state is known: A in 2/3 - a of all cases.
  Bounds bounds(Index size) const override {
    const double symbols[] = {1, 2};
    Bounds bounds = certain(2.0 / 3, entropy(symbols));
    bounds.best_loss = bounds.best_accuracy = 0;
    double a = 2.0 / 3, b = 1.0 / 3;
    for (Index t = 0; t < size; ++t) {
      const double a_before = a;
      a = b, b = a_before / 2;
      const double zero = a / 2, next[] = {zero, a + b - zero};
      const double unknown_loss = a + b > 0 ? (a + b) * entropy(next) : 0;
      bounds.best_loss_at.push_back(unknown_loss + (2.0 / 3 - a) * std::log(2.0));
      bounds.best_accuracy_at.push_back(std::max(next[0], next[1]) + (2.0 / 3 - a) / 2 + (1.0 / 3 - b));
      bounds.best_loss += bounds.best_loss_at.back() / static_cast<double>(size);
      bounds.best_accuracy += bounds.best_accuracy_at.back() / static_cast<double>(size);
    }
    return bounds;
  }

 private:
  Sequence draw(Dice& dice, Index size) const override {
    bool in_a = dice.below(3) > 0;
    Tokens symbols;
    for (Index t = 0; t <= size; ++t) {
      symbols.push_back(!in_a || dice.happens(0.5) ? 1 : 0);
      in_a = symbols.back() == 0 || !in_a;
    }
    return next_symbols(symbols);
  }
};

}  // namespace

TaskInfo make_even_process() {
  return {.title = "even process",
          .sentence = "Say the next bit of a source whose ones come in even numbers between zeros.",
          .source = "Crutchfield and Feldman 2003 (Chaos 13:25)",
          .bidirectional = false,
          .size_means = "tokens",
          .make = make_task<EvenProcess>};
}

}  // namespace poslab::tasks
