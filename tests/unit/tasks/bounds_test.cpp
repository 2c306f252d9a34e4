// SPDX-License-Identifier: Apache-2.0
// Bounds against published and worked-out numbers, against naive counts, and against what a guesser reaches.
#include <algorithm>
#include <functional>
#include <map>

#include "catch.hpp"
#include "parts/counts.hpp"
#include "tasks_at_hand.hpp"

using namespace at_hand;
using poslab::tasks::Bounds;
using poslab::tasks::expected_largest_count;
using poslab::tasks::expected_largest_share;
using poslab::tasks::unequal_bits_accuracy;

namespace {

// Over all V^n strings.
double naive_largest_count(Index n, Index V) {
  double sum = 0, strings = 0;
  std::vector<Index> counts(static_cast<std::size_t>(V), 0);
  const std::function<void(Index)> extend = [&](Index left) {
    if (left == 0) {
      sum += static_cast<double>(*std::max_element(counts.begin(), counts.end()));
      strings += 1;
      return;
    }
    for (Index& count : counts) {
      ++count;
      extend(left - 1);
      --count;
    }
  };
  extend(n);
  return sum / strings;
}

double unordered_mean(const std::string& id, Index first, Index last) {
  const auto task = at_hand::task(id);
  double sum = 0;
  for (Index n = first; n <= last; ++n) sum += task->bounds(n).unordered_accuracy;
  return sum / static_cast<double>(last - first + 1);
}

double largest_share(const Tokens& tokens) {
  std::map<std::int32_t, double> often;
  double most = 0;
  for (const std::int32_t token : tokens) most = std::max(most, often[token] += 1);
  return most / static_cast<double>(tokens.size());
}

// The mean over drawn sequences of what a guesser gets right, beside the bound.
void check_reached(const std::string& id, Index size, const std::function<double(const Sequence&)>& right) {
  INFO(id);
  const auto task = at_hand::task(id);
  const int sequences = 4000;
  double sum = 0, squares = 0;
  for (std::uint64_t i = 0; i < sequences; ++i) {
    const double share = right(drawn(*task, size, i));
    sum += share;
    squares += share * share;
  }
  const double mean = sum / sequences, error = std::sqrt(std::max(0.0, squares / sequences - mean * mean) / sequences);
  CHECK_THAT(mean, check::WithinAbs(task->bounds(size).unordered_accuracy, 5 * error + 1e-12));
}

// 1 where the likelier of equal and different, for two of these bits drawn at random, is right.
double guess_of_two(double ones, double n, std::int32_t truth) {
  const double differ = 2 * ones * (n - ones) / (n * (n - 1));
  return (differ > 0.5) == (truth == 1) ? 1 : 0;
}

}  // namespace

TEST_CASE("the expected largest count is that of all strings") {
  for (const Index V : {1, 2, 3, 5})
    for (Index n = 1; n <= 8; ++n) {
      INFO(n << " of " << V);
      CHECK(expected_largest_count(n, V) == check::Approx(naive_largest_count(n, V)).epsilon(1e-12));
    }
  CHECK(expected_largest_count(4, 16) == check::Approx(naive_largest_count(4, 16)).epsilon(1e-12));
}

TEST_CASE("the expected largest count of bits has a closed form") {
  double middle = 0.5;  // C(n-1, floor(n/2)) / 2^n for n = 1
  for (Index n = 1; n <= 4000; ++n) {
    if (n % 97 == 1) CHECK(expected_largest_share(n, 2) == check::Approx(0.5 + middle).epsilon(1e-11));
    const Index half = (n + 1) / 2;
    const double next = static_cast<double>(n + 1), k = static_cast<double>(half);
    middle *= (n + 1) % 2 == 0 ? (next - 1) / (2 * k) : (next - 1) / (2 * (next - 1 - k));
  }
}

TEST_CASE("networks without positions: the theorem's numbers over lengths 41 to 500 and 41 to 100") {
  CHECK_THAT(unordered_mean("reverse-string", 41, 500), check::WithinAbs(0.5278, 5e-5));
  CHECK_THAT(unordered_mean("odds-first", 41, 100), check::WithinAbs(0.5487, 5e-5));
  CHECK_THAT(unordered_mean("bucket-sort", 41, 500), check::WithinAbs(0.2369, 5e-5));
  CHECK_THAT(unordered_mean("even-pairs", 41, 500), check::WithinAbs(0.5027, 5e-5));
  CHECK_THAT(unordered_mean("even-pairs", 41, 100), check::WithinAbs(0.5074, 5e-5));
  const auto duplicate = at_hand::task("duplicate-string");
  CHECK_THAT(duplicate->bounds(40).unordered_accuracy, check::WithinAbs(0.5627, 5e-5));
  CHECK_THAT(duplicate->bounds(100).unordered_accuracy, check::WithinAbs(0.5398, 5e-5));
  CHECK_THAT(duplicate->bounds(500).unordered_accuracy, check::WithinAbs(0.5178, 5e-5));
}

TEST_CASE("the previous token without positions: 0.2206 over tokens 3 to 32, 0.1525 at the last") {
  const Bounds bounds = at_hand::task("previous-token")->bounds(32);
  double sum = 0;
  for (std::size_t t = 2; t < 32; ++t) sum += bounds.unordered_accuracy_at[t];
  CHECK_THAT(sum / 30, check::WithinAbs(0.2206, 5e-5));
  CHECK_THAT(bounds.unordered_accuracy_at[31], check::WithinAbs(0.1525, 5e-5));
  CHECK(bounds.unordered_accuracy_at[1] == check::Approx(1));
  sum = 0;
  for (Index t = 2; t < 32; ++t) sum += expected_largest_share(t, 8);
  CHECK_THAT(sum / 30, check::WithinAbs(0.2894, 5e-5));
}

TEST_CASE("neighbours of a masked bit without positions: 0.5349, 0.5161, 0.5078") {
  CHECK_THAT(at_hand::task("xor-of-neighbours")->bounds(16).unordered_accuracy, check::WithinAbs(0.5349, 5e-5));
  CHECK_THAT(at_hand::task("xor-of-neighbours")->bounds(32).unordered_accuracy, check::WithinAbs(0.5161, 5e-5));
  CHECK_THAT(at_hand::task("xor-of-neighbours")->bounds(64).unordered_accuracy, check::WithinAbs(0.5078, 5e-5));
  CHECK(unequal_bits_accuracy(1) == 1);
  CHECK(unequal_bits_accuracy(2) == check::Approx(1));  // the counts say it
  CHECK(unequal_bits_accuracy(3) == check::Approx(0.25 + 0.75 * 2 / 3));
  CHECK(unequal_bits_accuracy(5000) > 0.5);
}

TEST_CASE("a guesser that counts reaches the unordered bound") {
  for (const char* id : {"reverse-string", "duplicate-string", "odds-first", "bucket-sort"})
    check_reached(id, 21, [](const Sequence& s) { return largest_share(answer(s)); });
  check_reached("previous-token", 32, [](const Sequence& s) {
    double sum = 0;
    for (std::size_t t = 1; t < 32; ++t) sum += largest_share(part_of(s.tokens, 0, t));
    return sum / 31;
  });
  check_reached("even-pairs", 15, [](const Sequence& s) {
    return guess_of_two(static_cast<double>(std::count(s.tokens.begin(), s.tokens.end(), 1)), 15, answer(s)[0]);
  });
  check_reached("xor-of-neighbours", 16, [](const Sequence& s) {
    return guess_of_two(static_cast<double>(std::count(s.tokens.begin(), s.tokens.end(), 1)), 15, answer(s)[0]);
  });
  check_reached("missing-duplicate", 21, [](const Sequence& s) {
    const auto ones = std::count(s.tokens.begin(), s.tokens.end(), 1);
    return (ones % 2 == 1) == (answer(s)[0] == 1) ? 1.0 : 0.0;
  });
  check_reached("induction-heads", 20, [](const Sequence& s) {
    Tokens letters = part_of(s.tokens, 0, 19);
    std::erase(letters, 16);
    return largest_share(letters);
  });
  check_reached("needle", 10, [](const Sequence& s) {
    return answer(s)[0] == *std::max_element(s.tokens.begin(), s.tokens.end()) ? 1.0 : 0.0;  // one of four values
  });
  check_reached("mqar", 6, [](const Sequence& s) {
    double right = 0;  // the value of the first pair, whatever is asked
    for (const std::int32_t value : answer(s)) right += value == s.tokens[1];
    return right / 6;
  });
  // Which of the two labels in the context is that of the item asked for cannot be told.
  check_reached("retrieval", 8, [](const Sequence& s) {
    Tokens labels;
    for (std::size_t t = 1; t < s.tokens.size(); t += 2) labels.push_back(s.tokens[t]);
    const auto agree = std::count(labels.begin(), labels.end(), answer(s)[0]);
    return agree == 8 ? 1.0 : 0.5;
  });
}
