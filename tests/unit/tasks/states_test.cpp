// SPDX-License-Identifier: Apache-2.0
// Tasks that follow a state: permutations one after the other.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "catch.hpp"
#include "tasks_at_hand.hpp"

using namespace at_hand;

namespace {

// The permutations of 0 .. k-1 in lexicographic order, by counting to k^k.
std::vector<Tokens> naive_permutations(std::int32_t k, bool even_only) {
  std::vector<Tokens> all;
  long numbers = 1;
  for (std::int32_t i = 0; i < k; ++i) numbers *= k;
  for (long number = 0; number < numbers; ++number) {
    Tokens images;
    for (long rest = number, weight = numbers / k; weight > 0; rest %= weight, weight /= k)
      images.push_back(static_cast<std::int32_t>(rest / weight));
    if (std::set<std::int32_t>(images.begin(), images.end()).size() != images.size()) continue;
    Tokens sorted = images;  // an even one is put in order by an even number of exchanges
    int exchanges = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i)
      while (sorted[i] != static_cast<std::int32_t>(i)) {
        std::swap(sorted[i], sorted[static_cast<std::size_t>(sorted[i])]);
        ++exchanges;
      }
    if (!even_only || exchanges % 2 == 0) all.push_back(images);
  }
  return all;
}

// Moves three or five things about, token by token.
void check_tracked(const std::string& id, const std::vector<Tokens>& group) {
  const auto task = at_hand::task(id);
  REQUIRE(task->vocabulary() == std::ssize(group) + 1);
  std::set<std::int32_t> seen;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const Sequence s = drawn(*task, 12, i);
    Tokens where(group[0].size());  // is each thing now
    for (std::size_t thing = 0; thing < where.size(); ++thing) where[thing] = static_cast<std::int32_t>(thing);
    CHECK((s.tokens.size() == 13 && s.tokens[0] == std::ssize(group) && s.mask[0] == 0));
    for (std::size_t t = 1; t < s.tokens.size(); ++t) {
      for (std::int32_t& place : where)
        place = group[static_cast<std::size_t>(s.tokens[t])][static_cast<std::size_t>(place)];
      CHECK(s.mask[t] == 1);
      CHECK(group[static_cast<std::size_t>(s.targets[t])] == where);
      seen.insert(s.targets[t]);
    }
  }
  CHECK(seen.size() == group.size());
}

// How often the product of t permutations is guessed right by their multiset, over all words.
double naive_guess_by_multiset(const std::vector<Tokens>& group, std::size_t t) {
  std::map<Tokens, std::map<Tokens, double>> products;  // [multiset][product]: words
  std::size_t words = 1;
  for (std::size_t i = 0; i < t; ++i) words *= group.size();
  for (std::size_t word = 0; word < words; ++word) {
    Tokens multiset, images(group[0].size());
    for (std::size_t k = 0; k < images.size(); ++k) images[k] = static_cast<std::int32_t>(k);
    for (std::size_t i = 0, rest = word; i < t; ++i, rest /= group.size()) {
      multiset.push_back(static_cast<std::int32_t>(rest % group.size()));
      for (std::int32_t& image : images) image = group[rest % group.size()][static_cast<std::size_t>(image)];
    }
    std::sort(multiset.begin(), multiset.end());
    products[multiset][images] += 1;
  }
  double right = 0;
  for (const auto& [multiset, of_multiset] : products) {
    double most = 0;
    for (const auto& [product, count] : of_multiset) most = std::max(most, count);
    right += most;
  }
  return right / static_cast<double>(words);
}

}  // namespace

TEST_CASE("s3 and a5 follow things that are moved about") {
  const std::vector<Tokens> s3 = naive_permutations(3, false), a5 = naive_permutations(5, true);
  REQUIRE(s3.size() == 6);
  REQUIRE(a5.size() == 60);
  check_tracked("s3", s3);
  check_tracked("a5", a5);
}

TEST_CASE("s3 without positions: the multiset's best guess, which falls to a third, the sign") {
  const std::vector<Tokens> s3 = naive_permutations(3, false);
  const auto bounds = at_hand::task("s3")->bounds(200);
  for (std::size_t t = 0; t <= 7; ++t) {
    INFO(t << " tokens before");
    CHECK(bounds.unordered_accuracy_at[t + 1] == check::Approx(naive_guess_by_multiset(s3, t)).epsilon(1e-12));
  }
  for (std::size_t t = 2; t <= 200; ++t)
    CHECK(bounds.unordered_accuracy_at[t] <= bounds.unordered_accuracy_at[t - 1] + 1e-12);
  CHECK(bounds.unordered_accuracy_at[200] == check::Approx(1.0 / 3).epsilon(1e-9));
  CHECK(at_hand::task("s3")->bounds(8).unordered_accuracy_at[7] == bounds.unordered_accuracy_at[7]);
}
