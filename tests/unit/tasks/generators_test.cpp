// SPDX-License-Identifier: Apache-2.0
// Each generated task against its definition.
#include <algorithm>
#include <map>

#include "catch.hpp"
#include "tasks_at_hand.hpp"

using namespace at_hand;

namespace {

constexpr int draws_of_each = 50;

// The task's sequences of sizes 1 .. 12, drawn.
template <class Check>
void for_drawn(const std::string& id, Index least, const Check& check) {
  const auto task = at_hand::task(id);
  for (Index size = least; size <= 12; ++size)
    for (std::uint64_t i = 0; i < draws_of_each; ++i) {
      INFO(id << ", size " << size << ", instance " << i);
      check(drawn(*task, size, i), static_cast<std::size_t>(size));
    }
}

// begin x1 .. xn separator answer, asked from the separator on, with the end.
void check_prompt(const Sequence& s, const Tokens& prompt, const Tokens& expected, std::int32_t begin) {
  const std::size_t n = prompt.size();
  CHECK(s.tokens.front() == begin);
  CHECK(s.tokens[n + 1] == begin + 1);
  CHECK(part_of(s.tokens, n + 2, expected.size()) == expected);
  CHECK(answer(s) == joined(expected, {begin + 2}));
  for (std::size_t t = 0; t < s.mask.size(); ++t) CHECK(s.mask[t] == (t > n && t <= n + 1 + expected.size()));
}

// x1 .. xn and blanks, asked at the blanks.
void check_blanks(const Sequence& s, std::size_t n, const Tokens& expected, std::int32_t blank) {
  CHECK(answer(s) == expected);
  CHECK(part_of(s.tokens, n, s.tokens.size() - n) == Tokens(expected.size(), blank));
  for (std::size_t t = 0; t < s.mask.size(); ++t) CHECK(s.mask[t] == (t >= n));
}

Tokens every_second(const Tokens& tokens, std::size_t first) {
  Tokens chosen;
  for (std::size_t i = first; i < tokens.size(); i += 2) chosen.push_back(tokens[i]);
  return chosen;
}

}  // namespace

TEST_CASE("copy, reverse and duplicate do so, after a prompt") {
  for_drawn("copy", 1, [](const Sequence& s, std::size_t n) {
    const Tokens prompt = part_of(s.tokens, 1, n);
    check_prompt(s, prompt, prompt, 50);
  });
  for_drawn("reverse", 1, [](const Sequence& s, std::size_t n) {
    const Tokens prompt = part_of(s.tokens, 1, n);
    check_prompt(s, prompt, reversed(prompt), 50);
  });
  for_drawn("duplicate", 1, [](const Sequence& s, std::size_t n) {
    const Tokens prompt = part_of(s.tokens, 1, n);
    check_prompt(s, prompt, joined(prompt, prompt), 50);
  });
  for_drawn("copy-repeated", 1, [](const Sequence& s, std::size_t n) {
    const Tokens prompt(n, s.tokens[1]);
    CHECK(part_of(s.tokens, 1, n) == prompt);
    check_prompt(s, prompt, prompt, 50);
  });
}

TEST_CASE("sort, and a selective copy that leaves blanks out") {
  for_drawn("sort", 1, [](const Sequence& s, std::size_t n) {
    const Tokens prompt = part_of(s.tokens, 1, n);
    Tokens by_count;  // a letter as often as it stands there
    for (std::int32_t letter = 0; letter < 50; ++letter)
      by_count.insert(by_count.end(), static_cast<std::size_t>(std::count(prompt.begin(), prompt.end(), letter)),
                      letter);
    check_prompt(s, prompt, by_count, 50);
  });
  std::map<std::size_t, double> blanks;
  for_drawn("selective-copy", 1, [&](const Sequence& s, std::size_t n) {
    const Tokens prompt = part_of(s.tokens, 1, 2 * n);
    Tokens letters = prompt;
    std::erase(letters, 16);
    CHECK(letters.size() == n);
    check_prompt(s, prompt, letters, 17);
    for (std::size_t t = 0; n == 12 && t < prompt.size(); ++t) blanks[t] += prompt[t] == 16;
  });
  for (const auto& [place, count] : blanks)
    CHECK_THAT(count / draws_of_each, check::WithinAbs(0.5, five_errors(0.5, draws_of_each)));
}

TEST_CASE("tokens of a prompt are drawn alike") {
  const auto task = at_hand::task("copy");
  std::map<std::int32_t, double> often;
  for (std::uint64_t i = 0; i < 2000; ++i)
    for (const std::int32_t token : part_of(drawn(*task, 10, i).tokens, 1, 10)) often[token] += 1;
  REQUIRE(often.size() == 50);
  for (const auto& [token, count] : often) CHECK_THAT(count / 20000, check::WithinAbs(0.02, five_errors(0.02, 20000)));
}

TEST_CASE("tasks at blanks: reverse, duplicate, odds first, bucket sort, even pairs") {
  for_drawn("reverse-string", 1,
            [](const Sequence& s, std::size_t n) { check_blanks(s, n, reversed(part_of(s.tokens, 0, n)), 2); });
  for_drawn("duplicate-string", 1, [](const Sequence& s, std::size_t n) {
    const Tokens bits = part_of(s.tokens, 0, n);
    check_blanks(s, n, joined(bits, bits), 2);
  });
  for_drawn("odds-first", 1, [](const Sequence& s, std::size_t n) {
    const Tokens bits = part_of(s.tokens, 0, n);
    check_blanks(s, n, joined(every_second(bits, 1), every_second(bits, 0)), 2);
  });
  for_drawn("bucket-sort", 1, [](const Sequence& s, std::size_t n) {
    Tokens tokens = part_of(s.tokens, 0, n);
    std::sort(tokens.begin(), tokens.end());
    CHECK(tokens.back() < 5);
    check_blanks(s, n, tokens, 5);
  });
  for_drawn("even-pairs", 1, [](const Sequence& s, std::size_t n) {
    std::int32_t changes = 0;
    for (std::size_t i = 0; i + 1 < n; ++i) changes += s.tokens[i] != s.tokens[i + 1];
    check_blanks(s, n, {changes % 2}, 2);
  });
}

TEST_CASE("missing duplicate: the answer makes both halves the same") {
  CHECK(drawn(*at_hand::task("missing-duplicate"), 1, 0).tokens == Tokens{1, 4});
  CHECK(answer(drawn(*at_hand::task("missing-duplicate"), 1, 0)) == Tokens{1});
  std::map<bool, int> second_half;
  for_drawn("missing-duplicate", 2, [&](const Sequence& s, std::size_t n) {
    Tokens bits = part_of(s.tokens, 0, n);
    if (n % 2 == 1) {
      CHECK(bits.back() == 3);
      bits.pop_back();
    }
    const auto hole = std::find(bits.begin(), bits.end(), 2);
    REQUIRE(hole != bits.end());
    second_half[hole - bits.begin() >= static_cast<std::ptrdiff_t>(n / 2)] += 1;
    *hole = answer(s).at(0);
    CHECK(part_of(bits, 0, n / 2) == part_of(bits, n / 2, n / 2));
    CHECK(*std::max_element(bits.begin(), bits.end()) <= 1);
    check_blanks(s, n, {*hole}, 4);
  });
  CHECK(second_half[false] > 200);
  CHECK(second_half[true] > 200);
}

TEST_CASE("addition adds") {
  int longer = 0;
  for_drawn("addition", 1, [&](const Sequence& s, std::size_t n) {
    const auto number = [&](std::size_t first, std::size_t count) {
      long value = 0;
      for (const std::int32_t digit : part_of(s.tokens, first, count)) value = 10 * value + digit;
      return value;
    };
    CHECK(s.tokens[n + 1] == 10);  // plus
    CHECK(s.tokens[1] > 0);
    CHECK(s.tokens[n + 2] > 0);
    const std::string sum = std::to_string(number(1, n) + number(n + 2, n));
    Tokens expected;
    for (const char digit : sum) expected.push_back(digit - '0');
    longer += expected.size() > n;
    check_prompt(s, part_of(s.tokens, 1, 2 * n + 1), expected, 11);
  });
  CHECK(longer > 100);
  CHECK(longer < 500);
}

TEST_CASE("addition with the least digit first is the same sums, written backwards") {
  const auto forwards = at_hand::task("addition");
  for_drawn("addition-reversed", 1, [&](const Sequence& s, std::size_t n) {
    const auto number = [&](std::size_t first, std::size_t count) {
      long value = 0;
      for (const std::int32_t digit : reversed(part_of(s.tokens, first, count))) value = 10 * value + digit;
      return value;
    };
    Tokens expected;
    for (long rest = number(1, n) + number(n + 2, n); rest > 0; rest /= 10)
      expected.push_back(static_cast<std::int32_t>(rest % 10));
    CHECK(s.tokens[n + 1] == 10);
    CHECK((s.tokens[n] > 0 && s.tokens[2 * n + 1] > 0));
    check_prompt(s, part_of(s.tokens, 1, 2 * n + 1), expected, 11);
  });
}

TEST_CASE("addition with hints: the same hint for the same place, whatever they begin with") {
  std::map<std::int32_t, int> last_hints;
  for_drawn("addition-hinted", 1, [&](const Sequence& s, std::size_t n) {
    // Digits by the hints before them.
    const auto number = [](const Tokens& hinted) {
      std::map<std::int32_t, long> digits;
      for (std::size_t t = 0; t < hinted.size(); t += 2) {
        CHECK((hinted[t] >= 11 && hinted[t] < 111));
        if (t > 0) CHECK(hinted[t] == hinted[t - 2] + 1);
        digits[hinted[t]] = hinted[t + 1];
      }
      return digits;
    };
    Tokens sum = answer(s);
    sum.pop_back();
    const auto a = number(part_of(s.tokens, 1, 2 * n)), b = number(part_of(s.tokens, 2 * n + 2, 2 * n)),
               c = number(sum);
    CHECK(s.tokens[2 * n + 1] == 10);
    long carry = 0;
    for (std::int32_t hint = a.rbegin()->first; hint >= c.begin()->first; --hint) {
      const long both = (a.count(hint) ? a.at(hint) + b.at(hint) : 0) + carry;
      CHECK(c.at(hint) == both % 10);
      carry = both / 10;
    }
    CHECK(carry == 0);
    CHECK(c.rbegin()->first == a.rbegin()->first);
    if (n == 12) ++last_hints[a.rbegin()->first];
    check_prompt(s, part_of(s.tokens, 1, 4 * n + 1), sum, 111);
  });
  CHECK(last_hints.size() > 30);
  CHECK_THAT(at_hand::task("addition-hinted")->why_not(100).value().reason, check::contains("99 digits"));
}

TEST_CASE("multiplication multiplies, the least digit first") {
  for_drawn("multiplication", 1, [](const Sequence& s, std::size_t n) {
    if (n > 8) return;  // the product of more does not fit into a long
    const auto number = [](const Tokens& digits) {
      long value = 0;
      for (const std::int32_t digit : reversed(digits)) value = 10 * value + digit;
      return value;
    };
    Tokens product = answer(s);
    product.pop_back();
    CHECK(product.size() == 2 * n);
    CHECK(number(product) == number(part_of(s.tokens, 1, n)) * number(part_of(s.tokens, n + 2, n)));
    check_prompt(s, part_of(s.tokens, 1, 2 * n + 1), product, 11);
  });
}

TEST_CASE("lego: the sign of each letter of a chain, whose clauses stand in any order") {
  std::map<bool, int> in_order;
  for_drawn("lego", 1, [&](const Sequence& s, std::size_t n) {
    struct Clause {
      std::int32_t sign, before;
    };
    std::map<std::int32_t, Clause> clauses;
    for (std::size_t t = 0; t < 3 * n; t += 3) clauses[s.tokens[t]] = {s.tokens[t + 1], s.tokens[t + 2]};
    CHECK(clauses.size() == n);
    for (std::size_t t = 3 * n; t < 4 * n; ++t) {
      std::int32_t letter = s.tokens[t];
      bool negative = false;
      for (; letter != 66; letter = clauses.at(letter).before) negative = negative != (clauses.at(letter).sign == 65);
      CHECK(s.targets[t] == (negative ? 65 : 64));
      if (t > 3 * n) CHECK(clauses.at(s.tokens[t]).before == s.tokens[t - 1]);
    }
    for (std::size_t t = 0; t < s.mask.size(); ++t) CHECK(s.mask[t] == (t >= 3 * n));
    if (n == 12) ++in_order[s.tokens[0] == s.tokens[3 * n]];
  });
  CHECK(in_order[false] > 30);
}

TEST_CASE("binary addition adds, the least bit first") {
  std::map<std::size_t, int> places;  // of the sign, for size 12
  for_drawn("binary-addition", 1, [&](const Sequence& s, std::size_t n) {
    const Tokens expression = part_of(s.tokens, 0, n);
    long sum = 0, weight = 1;
    for (const std::int32_t token : expression) {
      if (token < 2) sum += token * weight;
      weight = token < 2 ? 2 * weight : 1;
    }
    CHECK(std::count(expression.begin(), expression.end(), 2) == (n > 2));
    if (n == 12)
      places[static_cast<std::size_t>(std::find(expression.begin(), expression.end(), 2) - expression.begin())]++;
    Tokens expected;
    for (long rest = sum; rest > 0 || expected.empty(); rest /= 2)
      expected.push_back(static_cast<std::int32_t>(rest % 2));
    expected.push_back(2);
    CHECK(answer(s) == expected);
    CHECK(part_of(s.tokens, n, n + 1) == Tokens(n + 1, 3));
    for (std::size_t t = 0; t < s.mask.size(); ++t) CHECK(s.mask[t] == (t >= n && t < n + expected.size()));
  });
  CHECK(places.begin()->first == 1);
  CHECK(places.rbegin()->first == 10);
}

TEST_CASE("previous token, and the exclusive or of neighbours") {
  for_drawn("previous-token", 2, [](const Sequence& s, std::size_t n) {
    CHECK(s.mask[0] == 0);
    CHECK(answer(s) == part_of(s.tokens, 0, n - 1));
  });
  std::map<std::size_t, double> places;
  for_drawn("xor-of-neighbours", 3, [&](const Sequence& s, std::size_t n) {
    CHECK(std::count(s.mask.begin(), s.mask.end(), 1) == 1);
    const auto m = static_cast<std::size_t>(std::find(s.mask.begin(), s.mask.end(), 1) - s.mask.begin());
    REQUIRE(m > 0);
    REQUIRE(m + 1 < n);
    CHECK(std::count(s.tokens.begin(), s.tokens.end(), 2) == 1);
    CHECK(s.tokens[m] == 2);
    CHECK(s.targets[m] == (s.tokens[m - 1] != s.tokens[m + 1]));
    if (n == 12) places[m] += 1;
  });
  CHECK(places.begin()->first == 1);
  CHECK(places.rbegin()->first == 10);
}

TEST_CASE("flip-flop: a read says what was last written") {
  const auto task = at_hand::task("flip-flop");
  const double expected[] = {0.8, 0.98, 0.1};  // instructions that are ignored
  for (std::size_t kind = 0; kind < 3; ++kind) {
    double ignored = 0, writes = 0, all = 0;
    for (std::uint64_t i = 0; i < 400; ++i) {
      const Sequence s = kind == 0 ? drawn(*task, 32, i) : task->probe(kind - 1, Stream("draws of a test"), i, 32);
      CHECK(s.tokens.front() == 2);
      CHECK(s.tokens.back() == 3);
      std::int32_t written = -1;
      bool right = true;
      for (std::size_t t = 0; t < s.tokens.size(); t += 2) {
        const std::int32_t instruction = s.tokens[t];
        right = right && instruction >= 2 && s.mask[t] == (instruction == 3);
        if (t + 1 < s.tokens.size()) {
          right = right && s.tokens[t + 1] <= 1 && s.mask[t + 1] == 0;
          if (instruction == 2) written = s.tokens[t + 1];
          if (instruction == 3) right = right && s.tokens[t + 1] == written;
        }
        if (instruction == 3) right = right && s.targets[t] == written;
        if (t == 0 || t + 1 == s.tokens.size()) continue;
        all += 1;
        ignored += instruction == 4;
        writes += instruction == 2;
      }
      CHECK(right);
    }
    const double p = expected[kind];
    CHECK_THAT(ignored / all, check::WithinAbs(p, five_errors(p, all)));
    CHECK_THAT(writes / all, check::WithinAbs((1 - p) / 2, five_errors((1 - p) / 2, all)));
  }
  CHECK_THROWS_WITH(task->probe(2, Stream(""), 0, 32), check::contains("there are 2"));
  CHECK_THROWS_WITH(at_hand::task("copy")->probe(0, Stream(""), 0, 32), check::contains("there are 0"));
}
