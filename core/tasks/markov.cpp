// SPDX-License-Identifier: Apache-2.0
// A first-order source with copies: after five tokens of V = 8, each alike, a token is that of five tokens before
// with probability 0.4, and otherwise one of the three successors of the token before it. Content and position both
// matter.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

constexpr std::size_t source_vocabulary = 8, lag = 5, successor_count = 3;
constexpr double copied = 0.4;

// The same in every run: its entropy is the task's.
std::array<std::array<std::size_t, successor_count>, source_vocabulary> drawn_successors() {
  std::array<std::array<std::size_t, successor_count>, source_vocabulary> successors{};
  Dice dice(base::Stream("the successors of the task markov"));
  for (auto& row : successors) {
    const std::vector<Index> drawn = dice.different(successor_count, source_vocabulary);
    for (std::size_t i = 0; i < successor_count; ++i) row[i] = static_cast<std::size_t>(drawn[i]);
  }
  return successors;
}

// A state is the last five tokens as a number, the oldest in front.
constexpr std::size_t of_younger = source_vocabulary * source_vocabulary * source_vocabulary * source_vocabulary;
constexpr std::size_t states = of_younger * source_vocabulary;

class Markov final : public Generated {
 public:
  Markov() : Generated("markov", 1) {}
  Index vocabulary() const override { return source_vocabulary; }
  Index tokens(Index size) const override { return size; }

  // The probabilities of all states, token by token, from all alike on; they settle soon.
  Bounds bounds(Index size) const override {
    Bounds bounds;
    Chances marginal{};
    std::vector<double> now(states, 1.0 / states);
    Guess guess = alike();
    double moved = 1;
    for (Index t = 0; t < size; ++t) {
      const Index known = t + 1;  // tokens
      if (known > static_cast<Index>(lag) && moved > 1e-13) moved = follow(now);
      if (known >= static_cast<Index>(lag) && moved > 1e-13) guess = best(now);
      bounds.best_loss_at.push_back(guess.loss);
      bounds.best_accuracy_at.push_back(guess.accuracy);
      for (std::size_t y = 0; y < source_vocabulary; ++y) marginal[y] += guess.next[y] / static_cast<double>(size);
    }
    const auto mean = [&](const std::vector<double>& at) {
      return std::accumulate(at.begin(), at.end(), 0.0) / static_cast<double>(size);
    };
    bounds.best_loss = mean(bounds.best_loss_at);
    bounds.best_accuracy = mean(bounds.best_accuracy_at);
    bounds.chance_loss = entropy(marginal);
    bounds.chance_accuracy = *std::max_element(marginal.begin(), marginal.end());
    return bounds;
  }

 private:
  using Chances = std::array<double, source_vocabulary>;
  struct Guess {
    double loss = 0, accuracy = 0;
    Chances next{};
  };

  // The chances of the next token, which depends on the oldest and the newest of the last five.
  Chances after(std::size_t oldest, std::size_t newest) const {
    Chances chances{};
    chances[oldest] = copied;
    for (const std::size_t y : successors_[newest]) chances[y] += (1 - copied) / successor_count;
    return chances;
  }

  // One token on. How far the probabilities moved, all in all.
  double follow(std::vector<double>& now) const {
    std::vector<double> next(states, 0.0);
    for (std::size_t s = 0; s < states; ++s) {
      const Chances chances = after(s / of_younger, s % source_vocabulary);
      for (std::size_t y = 0; y < source_vocabulary; ++y)
        next[s % of_younger * source_vocabulary + y] += now[s] * chances[y];
    }
    double moved = 0;
    for (std::size_t s = 0; s < states; ++s) moved += std::abs(next[s] - now[s]);
    now = std::move(next);
    return moved;
  }

  Guess best(const std::vector<double>& now) const {
    std::array<Chances, source_vocabulary> both{};  // [oldest][newest]
    for (std::size_t s = 0; s < states; ++s) both[s / of_younger][s % source_vocabulary] += now[s];
    Guess guess;
    for (std::size_t oldest = 0; oldest < source_vocabulary; ++oldest)
      for (std::size_t newest = 0; newest < source_vocabulary; ++newest) {
        const Chances chances = after(oldest, newest);
        const double share = both[oldest][newest];
        guess.loss += share * entropy(chances);
        guess.accuracy += share * *std::max_element(chances.begin(), chances.end());
        for (std::size_t y = 0; y < source_vocabulary; ++y) guess.next[y] += share * chances[y];
      }
    return guess;
  }

  static Guess alike() {
    Guess guess{std::log(source_vocabulary), 1.0 / source_vocabulary, {}};
    guess.next.fill(1.0 / source_vocabulary);
    return guess;
  }

  Sequence draw(Dice& dice, Index size) const override {
    Tokens symbols = dice.tokens(std::min<Index>(size + 1, lag), source_vocabulary);
    for (std::size_t t = lag; t <= static_cast<std::size_t>(size); ++t) {
      const auto& successors = successors_[base::at(symbols.back())];
      const std::int32_t drawn = static_cast<std::int32_t>(successors[base::at(dice.below(3))]);
      symbols.push_back(dice.happens(copied) ? symbols[t - lag] : drawn);
    }
    return next_symbols(symbols);
  }

  std::array<std::array<std::size_t, successor_count>, source_vocabulary> successors_ = drawn_successors();
};

}  // namespace

TaskInfo make_markov() {
  return {.title = "first-order source with copies",
          .sentence =
              "Say the next letter of a source that repeats the letter of five tokens before, or goes on from the "
              "last one.",
          .source = "ours, after the traces that training is tested with",
          .bidirectional = false,
          .size_means = "tokens",
          .make = make_task<Markov>};
}

}  // namespace poslab::tasks
