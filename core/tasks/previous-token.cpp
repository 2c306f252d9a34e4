// SPDX-License-Identifier: Apache-2.0
// Tokens of 16, independent; at every token but the first, the one before it.
#include <cmath>
#include <cstddef>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class PreviousToken final : public Generated {
 public:
  PreviousToken() : Generated("previous-token", 2) {}
  Index vocabulary() const override { return plain_tokens; }
  Index tokens(Index size) const override { return size; }
  // Token t, from 0, has t tokens before it, one of which is asked: the best guess is the most frequent one.
  Bounds bounds(Index size) const override {
    Bounds bounds = certain(1.0 / plain_tokens, std::log(plain_tokens));
    bounds.unordered_accuracy_at.assign(static_cast<std::size_t>(size), Bounds::unknown);
    double sum = 0;
    for (Index t = 1; t < size; ++t) {
      const double accuracy = expected_largest_share(t, plain_tokens);
      bounds.unordered_accuracy_at[base::at(t)] = accuracy;
      sum += accuracy;
    }
    bounds.unordered_accuracy = sum / static_cast<double>(size - 1);
    return bounds;
  }

 private:
  static constexpr Index plain_tokens = 16;

  Sequence draw(Dice& dice, Index size) const override {
    Sequence sequence;
    sequence.tokens = dice.tokens(size, plain_tokens);
    sequence.targets = sequence.tokens;
    sequence.targets.pop_back();
    sequence.targets.insert(sequence.targets.begin(), 0);
    sequence.mask.assign(sequence.tokens.size(), 1);
    sequence.mask.front() = 0;
    return sequence;
  }
};

}  // namespace

TaskInfo make_previous_token() {
  return {.title = "previous token",
          .sentence = "At every token, say the one before it.",
          .source = "Barbero et al. 2025 (ICLR; arXiv:2410.06205), proposition 5.2 and theorem 5.3",
          .bidirectional = false,
          .size_means = "tokens",
          .min_size = 2,
          .make = make_task<PreviousToken>};
}

}  // namespace poslab::tasks
