// SPDX-License-Identifier: Apache-2.0
// Tasks that ask for what stood beside a token before.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "catch.hpp"
#include "tasks_at_hand.hpp"

using namespace at_hand;

namespace {

// Slots of the queries of an instance of mqar, from 0.
std::set<std::size_t> slots_of(const Sequence& s, std::size_t pairs) {
  std::set<std::size_t> slots;
  for (std::size_t t = 2 * pairs; t < s.tokens.size(); t += 2)
    if (s.mask[t]) slots.insert((t - 2 * pairs) / 2);
  return slots;
}

}  // namespace

TEST_CASE("mqar: each key comes once more, and its value is asked there") {
  const auto task = at_hand::task("mqar");
  for (const std::size_t n : {1, 2, 5, 16, 64})
    for (std::uint64_t i = 0; i < 20; ++i) {
      const Sequence s = drawn(*task, static_cast<Index>(n), i);
      std::map<std::int32_t, std::int32_t> value;
      std::set<std::int32_t> values;
      for (std::size_t t = 0; t < 2 * n; t += 2) {
        CHECK(s.mask[t] + s.mask[t + 1] == 0);
        CHECK((s.tokens[t] < 64 && s.tokens[t + 1] >= 64 && s.tokens[t + 1] < 128));
        value[s.tokens[t]] = s.tokens[t + 1];
        values.insert(s.tokens[t + 1]);
      }
      CHECK((value.size() == n && values.size() == n));
      std::set<std::int32_t> asked;
      for (std::size_t t = 2 * n; t < s.tokens.size(); ++t) {
        CHECK(s.mask[t] == (s.tokens[t] != 128));
        if (!s.mask[t]) continue;
        CHECK(t % 2 == 0);
        asked.insert(s.tokens[t]);
        CHECK(s.targets[t] == value.at(s.tokens[t]));
      }
      CHECK(asked.size() == n);
    }
  CHECK_THAT(task->why_not(65).value().reason, check::contains("mqar") && check::contains("64 keys"));
}

TEST_CASE("mqar: queries take their slots one after the other, by a power law") {
  const auto task = at_hand::task("mqar");
  std::vector<double> p;
  double sum = 0;
  for (int g = 1; g <= 6; ++g) sum += std::pow(g, -0.99);
  for (int g = 1; g <= 6; ++g) p.push_back(std::pow(g, -0.99) / sum);
  std::vector<double> taken(6);
  const int instances = 20000;
  for (std::uint64_t i = 0; i < instances; ++i)
    for (const std::size_t slot : slots_of(drawn(*task, 2, i), 2)) taken[slot] += 1.0 / instances;
  for (std::size_t slot = 0; slot < 6; ++slot) {
    double expected = p[slot];  // as the first; as the second, after another one
    for (std::size_t other = 0; other < 6; ++other)
      if (other != slot) expected += p[other] * p[slot] / (1 - p[other]);
    INFO("slot " << slot);
    CHECK_THAT(taken[slot], check::WithinAbs(expected, five_errors(expected, instances)));
  }
}

TEST_CASE("induction heads: the letter behind the special token's first place, which is any") {
  const auto task = at_hand::task("induction-heads");
  std::map<std::size_t, int> places;
  for (const std::size_t n : {3, 4, 12})
    for (std::uint64_t i = 0; i < 300; ++i) {
      const Sequence s = drawn(*task, static_cast<Index>(n), i);
      CHECK(std::count(s.tokens.begin(), s.tokens.end(), 16) == 2);
      CHECK(s.tokens.back() == 16);
      const auto first = static_cast<std::size_t>(std::find(s.tokens.begin(), s.tokens.end(), 16) - s.tokens.begin());
      CHECK(answer(s) == Tokens{s.tokens[first + 1]});
      CHECK(answer(s)[0] < 16);
      CHECK(s.mask.back() == 1);
      if (n == 12) ++places[first];
    }
  CHECK(places.size() == 10);
  CHECK(places.rbegin()->first == 9);
}

TEST_CASE("needle: the value behind the key that is asked for, in the text or by a probe") {
  const auto task = at_hand::task("needle");
  for (const std::size_t n : {4, 9, 30})
    for (std::uint64_t i = 0; i < 100; ++i)
      for (int probe = -1; probe < 4; ++probe) {
        const auto size = static_cast<Index>(n);
        const Sequence s = probe < 0 ? drawn(*task, size, i)
                                     : task->probe(static_cast<std::size_t>(probe), Stream("draws of a test"), i, size);
        REQUIRE(s.tokens.size() == n + 5);
        std::map<std::int32_t, std::int32_t> value;
        Tokens order;
        for (std::size_t t = 0; t + 1 < s.tokens.size(); ++t)
          if (s.tokens[t] >= 16 && s.tokens[t] < 48) {
            CHECK(s.tokens[t + 1] >= 48);
            value[s.tokens[t]] = s.tokens[t + 1];
            order.push_back(s.tokens[t]);
          }
        CHECK(value.size() == 4);
        CHECK(std::count_if(s.tokens.begin(), s.tokens.end(), [](auto token) { return token >= 48; }) == 4);
        CHECK(answer(s) == Tokens{value.at(s.tokens.back())});
        CHECK(s.mask.back() == 1);
        if (probe >= 0) CHECK(s.tokens.back() == order[static_cast<std::size_t>(probe)]);
      }
  CHECK_THROWS_WITH(task->probe(4, Stream(""), 0, 9), check::contains("there are 4"));
}
