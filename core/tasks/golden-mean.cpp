// SPDX-License-Identifier: Apache-2.0
// The golden mean process: bits without two zeros in a row. After a 1 both follow alike, after a 0 only 1.
#include <cmath>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class GoldenMean final : public Generated {
 public:
  GoldenMean() : Generated("golden-mean", 1) {}
  Index vocabulary() const override { return 2; }
  Index tokens(Index size) const override { return size; }
  // Two symbols of three are ones, after which nothing is known of the next.
  Bounds bounds(Index /*size*/) const override {
    const double symbols[] = {1, 2};
    Bounds bounds = certain(2.0 / 3, entropy(symbols));
    bounds.best_loss = 2.0 / 3 * std::log(2.0);
    bounds.best_accuracy = 2.0 / 3;
    return bounds;
  }

 private:
  Sequence draw(Dice& dice, Index size) const override {
    Tokens symbols{dice.below(3) == 0 ? 0 : 1};
    for (Index t = 0; t < size; ++t) symbols.push_back(symbols.back() == 0 || dice.happens(0.5) ? 1 : 0);
    return next_symbols(symbols);
  }
};

}  // namespace

TaskInfo make_golden_mean() {
  return {.title = "golden mean process",
          .sentence = "Say the next bit of a source that never has two zeros in a row.",
          .source = "Crutchfield and Feldman 2003 (Chaos 13:25)",
          .bidirectional = false,
          .size_means = "tokens",
          .make = make_task<GoldenMean>};
}

}  // namespace poslab::tasks
