// SPDX-License-Identifier: Apache-2.0
// Sources of symbols: their grammar, and their entropies against naive enumeration.
#include <array>
#include <cmath>
#include <functional>

#include "catch.hpp"
#include "tasks_at_hand.hpp"

using namespace at_hand;

namespace {

struct Guess {
  double loss = 0, accuracy = 0;
};

// The best guess of symbol n after all strings of n symbols, by their probabilities.
Guess naive_guess(std::size_t n, std::int32_t V, const std::function<double(const Tokens&)>& probability) {
  Guess guess;
  Tokens history;
  const std::function<void()> extend = [&] {
    if (history.size() < n) {
      for (std::int32_t y = 0; y < V; ++y) {
        history.push_back(y);
        if (probability(history) > 0) extend();
        history.pop_back();
      }
      return;
    }
    const double before = probability(history);
    double best = 0;
    for (std::int32_t y = 0; y < V; ++y) {
      history.push_back(y);
      const double p = probability(history);
      history.pop_back();
      best = std::max(best, p);
      if (p > 0) guess.loss -= p * std::log(p / before);
    }
    guess.accuracy += best;
  };
  extend();
  return guess;
}

double golden_mean(const Tokens& symbols) {
  double p = symbols[0] == 0 ? 1.0 / 3 : 2.0 / 3;
  for (std::size_t t = 1; t < symbols.size(); ++t) p *= symbols[t - 1] == 1 ? 0.5 : symbols[t] == 1 ? 1 : 0;
  return p;
}

// The sum over both first states.
double even_process(const Tokens& symbols) {
  double a = 2.0 / 3, b = 1.0 / 3;
  for (const std::int32_t symbol : symbols) {
    const double from_a = a / 2;
    a = symbol == 0 ? from_a : b;
    b = symbol == 0 ? 0 : from_a;
  }
  return a + b;
}

Tokens symbols_of(const Sequence& s) { return joined(s.tokens, {s.targets.back()}); }

// Each token's successors, as many drawn sequences show them: those that follow although no copy explains them.
std::array<std::array<bool, 8>, 8> seen_successors(const Task& markov) {
  std::array<std::array<bool, 8>, 8> successors{};
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Tokens symbols = symbols_of(drawn(markov, 100, i));
    for (std::size_t t = 5; t < symbols.size(); ++t)
      if (symbols[t] != symbols[t - 5])
        successors[static_cast<std::size_t>(symbols[t - 1])][static_cast<std::size_t>(symbols[t])] = true;
  }
  return successors;
}

}  // namespace

TEST_CASE("sources ask for the next symbol everywhere") {
  for (const char* id : {"golden-mean", "even-process", "markov"}) {
    const Sequence s = drawn(*at_hand::task(id), 40, 0);
    CHECK(answer(s) == s.targets);
    CHECK(part_of(s.targets, 0, 39) == part_of(s.tokens, 1, 39));
  }
}

TEST_CASE("the golden mean process: no two zeros in a row, two thirds of a bit a symbol") {
  const auto task = at_hand::task("golden-mean");
  double ones = 0, first = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Tokens symbols = symbols_of(drawn(*task, 20, i));
    CHECK(golden_mean(symbols) > 0);
    first += symbols.front();
    for (const std::int32_t symbol : symbols) ones += symbol;
  }
  CHECK_THAT(first / 2000, check::WithinAbs(2.0 / 3, five_errors(2.0 / 3, 2000)));
  CHECK_THAT(ones / 42000, check::WithinAbs(2.0 / 3, five_errors(2.0 / 3, 42000)));
  CHECK(task->bounds(7).best_loss == check::Approx(2.0 / 3 * std::log(2.0)).epsilon(1e-14));
  for (const std::size_t n : {1, 5, 9}) {
    CHECK(task->bounds(9).best_loss == check::Approx(naive_guess(n, 2, golden_mean).loss).epsilon(1e-12));
    CHECK(task->bounds(9).best_accuracy == check::Approx(naive_guess(n, 2, golden_mean).accuracy).epsilon(1e-12));
  }
}

TEST_CASE("the even process: ones in even numbers between zeros, and a loss that falls to two thirds of a bit") {
  const auto task = at_hand::task("even-process");
  double zeros = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Tokens symbols = symbols_of(drawn(*task, 20, i));
    CHECK(even_process(symbols) > 0);
    for (const std::int32_t symbol : symbols) zeros += symbol == 0;
  }
  CHECK_THAT(zeros / 42000, check::WithinAbs(1.0 / 3, 2 * five_errors(1.0 / 3, 42000)));  // neighbours depend
  const auto bounds = task->bounds(200);
  for (std::size_t t = 0; t < 10; ++t) {
    const Guess guess = naive_guess(t + 1, 2, even_process);
    CHECK(bounds.best_loss_at[t] == check::Approx(guess.loss).epsilon(1e-12));
    CHECK(bounds.best_accuracy_at[t] == check::Approx(guess.accuracy).epsilon(1e-12));
  }
  CHECK(bounds.best_loss_at[0] > bounds.best_loss_at[10] + 0.01);
  CHECK(bounds.best_loss_at[199] == check::Approx(2.0 / 3 * std::log(2.0)).epsilon(1e-12));
  CHECK_FALSE(std::isnan(task->bounds(5000).best_loss));
}

TEST_CASE("the source with copies: three successors or a copy, with the entropy of all strings") {
  const auto task = at_hand::task("markov");
  const auto successors = seen_successors(*task);
  for (const auto& row : successors) CHECK(std::count(row.begin(), row.end(), true) == 3);
  const auto probability = [&](const Tokens& symbols) {
    double p = 1;
    for (std::size_t t = 0; t < symbols.size(); ++t) {
      const double drawn_one =
          t < 5 ? 0 : 0.2 * successors[static_cast<std::size_t>(symbols[t - 1])][static_cast<std::size_t>(symbols[t])];
      p *= t < 5 ? 1.0 / 8 : drawn_one + 0.4 * (symbols[t] == symbols[t - 5]);
    }
    return p;
  };
  const auto bounds = task->bounds(300);
  for (const std::size_t t : {0, 3, 4, 5}) {
    const Guess guess = naive_guess(t + 1, 8, probability);
    CHECK(bounds.best_loss_at[t] == check::Approx(guess.loss).epsilon(1e-10));
    CHECK(bounds.best_accuracy_at[t] == check::Approx(guess.accuracy).epsilon(1e-10));
  }
  // Tokens 5 and 9 are the first that a guess of token 10 knows and that depend on each other. Tokens 4 .. 9 alone
  // tell how: what 5 .. 8 copy is seen nowhere else.
  const auto from_the_fourth = [&](const Tokens& symbols) {
    double p = 1.0 / 8;
    for (std::size_t k = 1; k < symbols.size(); ++k)
      p *= 0.2 * successors[static_cast<std::size_t>(symbols[k - 1])][static_cast<std::size_t>(symbols[k])] +
           0.4 * (k < 5 ? 1.0 / 8 : symbols[k] == symbols[k - 5]);
    return p;
  };
  const Guess of_the_tenth = naive_guess(6, 8, from_the_fourth);
  CHECK(bounds.best_loss_at[9] == check::Approx(of_the_tenth.loss).epsilon(1e-10));
  CHECK(bounds.best_accuracy_at[9] == check::Approx(of_the_tenth.accuracy).epsilon(1e-10));
  CHECK(std::abs(bounds.best_loss_at[9] - bounds.best_loss_at[8]) > 1e-6);
  CHECK(bounds.best_loss_at[299] == check::Approx(bounds.best_loss_at[250]).epsilon(1e-12));

  // What the one who knows the successors loses on drawn sequences.
  double loss = 0, squares = 0, count = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Tokens symbols = symbols_of(drawn(*task, 60, i));
    for (std::size_t t = 31; t < symbols.size(); ++t) {
      const double p =
          0.2 * successors[static_cast<std::size_t>(symbols[t - 1])][static_cast<std::size_t>(symbols[t])] +
          0.4 * (symbols[t] == symbols[t - 5]);
      loss -= std::log(p);
      squares += std::log(p) * std::log(p);
      count += 1;
    }
  }
  const double mean = loss / count, error = std::sqrt((squares / count - mean * mean) / count);
  CHECK_THAT(mean, check::WithinAbs(bounds.best_loss_at[299], 5 * error));
}
