// SPDX-License-Identifier: Apache-2.0
// What the best constant answer earns where answers are not alike: against counts over all inputs.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "catch.hpp"
#include "tasks_at_hand.hpp"

using namespace at_hand;
using poslab::tasks::Bounds;

namespace {

// `often`: how often each symbol is asked for, over all inputs.
void check_chance(const std::string& id, Index size, const std::vector<double>& often, double within = 1e-12) {
  INFO(id << ", size " << size);
  const double all = std::accumulate(often.begin(), often.end(), 0.0);
  double entropy = 0;
  for (const double one : often)
    if (one > 0) entropy -= one / all * std::log(one / all);
  const Bounds bounds = at_hand::task(id)->bounds(size);
  CHECK_THAT(bounds.chance_accuracy, check::WithinAbs(*std::max_element(often.begin(), often.end()) / all, within));
  CHECK_THAT(bounds.chance_loss, check::WithinAbs(entropy, within));
}

std::vector<double> digits_of_products(Index n) {
  std::vector<double> halves[2] = {std::vector<double>(10000), std::vector<double>(10000)};
  const auto above = static_cast<std::int64_t>(std::pow(10, n));
  for (std::int64_t a = above / 10; a < above; ++a)
    for (std::int64_t b = a; b < above; ++b) {
      halves[0][static_cast<std::size_t>(a * b / 10000)] += a == b ? 1 : 2;
      halves[1][static_cast<std::size_t>(a * b % 10000)] += a == b ? 1 : 2;
    }
  std::vector<double> often(11, 0);
  for (std::size_t value = 0; value < 10000; ++value)
    for (std::size_t rest = value, place = 0; place < 4; ++place, rest /= 10) {
      often[rest % 10] += halves[1][value];
      if (static_cast<Index>(place) + 4 < 2 * n) often[rest % 10] += halves[0][value];
    }
  often[10] = std::pow(static_cast<double>(above - above / 10), 2);
  return often;
}

}  // namespace

TEST_CASE("chance of products: over all of them, beyond three digits to 1e-5") {
  for (const Index n : {2, 3}) check_chance("multiplication", n, digits_of_products(n));
  check_chance("multiplication", 4, digits_of_products(4), 1e-5);
  CHECK(at_hand::task("multiplication")->bounds(40).chance_accuracy == check::Approx(0.1).epsilon(0.03));
}

TEST_CASE("chance of sums of bits: over all of them") {
  check_chance("binary-addition", 1, {1, 0, 1});
  check_chance("binary-addition", 2, {2, 2, 3});
  for (const int size : {3, 4, 7, 10}) {
    std::vector<double> often(3, 0);
    for (int first = 1; first <= size - 2; ++first) {
      const int a_above = 1 << first, b_above = 1 << (size - 1 - first);
      const double share = 1.0 / (a_above - 1) / (b_above - 1);
      for (int a = 1; a < a_above; ++a)
        for (int b = 1; b < b_above; ++b) {
          for (int rest = a + b; rest > 0; rest /= 2) often[static_cast<std::size_t>(rest % 2)] += share;
          often[2] += share;
        }
    }
    check_chance("binary-addition", size, often);
  }
}

TEST_CASE("chance of stacks: over all actions") {
  check_chance("stack-manipulation", 1, {0.5, 0.5, 1});
  for (const int size : {2, 5, 8}) {
    double bits = 0;
    const std::function<void(int, int, double)> act = [&](int height, int left, double share) {
      if (left == 0) {
        bits += share * height;
        return;
      }
      act(std::max(0, height - 1), left - 1, share / 3);
      act(height + 1, left - 1, 2 * share / 3);
    };
    for (int height = 1; height < size; ++height) act(height, size - height, 1.0 / (size - 1));
    check_chance("stack-manipulation", size, {bits / 2, bits / 2, 1});
  }
}

TEST_CASE("chance of lists: of one, two or three digits, over all of them") {
  check_chance("listops", 3, std::vector<double>(10, 1));
  std::vector<double> of_two(10, 0), of_three(10, 0);
  for (std::size_t a = 0; a < 10; ++a)
    for (std::size_t b = 0; b < 10; ++b) {
      for (const std::size_t value : {std::max(a, b), std::min(a, b), (a + b) / 2, (a + b) % 10}) of_two[value] += 1;
      for (std::size_t c = 0; c < 10; ++c) {
        std::array<std::size_t, 3> sorted{a, b, c};
        std::sort(sorted.begin(), sorted.end());
        for (const std::size_t value : {sorted[0], sorted[1], sorted[2], (a + b + c) % 10}) of_three[value] += 1;
      }
    }
  check_chance("listops", 4, of_two);
  // Five tokens: three digits or a list of one, as often; a digit beside two tokens is drawn anew.
  for (double& often : of_three) often += 400;
  check_chance("listops", 5, of_three);
}

TEST_CASE("chance of sums with hints: over all sums of two digits and all hints") {
  std::vector<double> often(112, 0);
  for (std::size_t a = 10; a < 100; ++a)
    for (std::size_t b = 10; b < 100; ++b)
      for (std::size_t last = 11 + 2; last < 111; ++last) {
        std::size_t hint = last;
        for (std::size_t rest = a + b; rest > 0; rest /= 10, --hint) {
          often[rest % 10] += 1;
          often[hint] += 1;
        }
        often[111] += 1;
      }
  check_chance("addition-hinted", 2, often);
}
