// SPDX-License-Identifier: Apache-2.0
// Steps on a cycle of five places, back (0), none (1) or ahead (2), from place 0; at one blank the place at the end.
#include <algorithm>
#include <array>
#include <numeric>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class CycleNavigation final : public Generated {
 public:
  CycleNavigation() : Generated("cycle-navigation", 1) {}
  Index vocabulary() const override { return places + 1; }
  Index tokens(Index size) const override { return size + 1; }
  Bounds bounds(Index size) const override {
    std::array<double, places> now{1};
    for (Index n = 0; n < size; ++n) {
      std::array<double, places> next{};
      for (std::size_t p = 0; p < places; ++p)
        for (const std::size_t ahead : {std::size_t{0}, std::size_t{1}, places - 1})
          next[(p + ahead) % places] += now[p] / 3;
      now = next;
    }
    return certain(*std::max_element(now.begin(), now.end()), entropy(now), 1);  // the multiset gives it away
  }

 private:
  static constexpr std::size_t places = 5;

  Sequence draw(Dice& dice, Index size) const override {
    const Tokens steps = dice.tokens(size, 3);
    const Index ahead = std::accumulate(steps.begin(), steps.end(), Index{0}) + (places - 1) * size;
    return at_blanks(steps, {static_cast<std::int32_t>(ahead % Index{places})}, places);
  }
};

}  // namespace

TaskInfo make_cycle_navigation() {
  return {.title = "cycle navigation, at a blank",
          .sentence = "At a blank behind steps on a cycle of five places, say where they end.",
          .source = "Deletang et al. 2023 (ICLR; arXiv:2207.02098), cycle navigation",
          .size_means = "steps",
          .make = make_task<CycleNavigation>};
}

}  // namespace poslab::tasks
