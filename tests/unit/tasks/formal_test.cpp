// SPDX-License-Identifier: Apache-2.0
// Tasks of formal languages, each against a reader of its own.
#include <algorithm>
#include <map>
#include <string>

#include "catch.hpp"
#include "tasks_at_hand.hpp"

using namespace at_hand;

namespace {

template <class Check>
void for_small(const std::string& id, Index least, const Check& check) {
  const auto task = at_hand::task(id);
  for (Index size = least; size <= 14; ++size)
    for (std::uint64_t i = 0; i < 60; ++i) {
      const Sequence s = drawn(*task, size, i);
      INFO(id << ", size " << size << ", instance " << i);
      check(s, static_cast<std::size_t>(size));
    }
}

// What is asked behind n tokens at one blank.
std::int32_t at_a_blank(const Sequence& s, std::size_t n, std::int32_t blank) {
  CHECK(s.tokens.size() == n + 1);
  CHECK(s.tokens.back() == blank);
  CHECK(std::count(s.mask.begin(), s.mask.end(), 1) == 1);
  CHECK(s.mask.back() == 1);
  return s.targets.back();
}

// Reads an expression by its grammar, in whole numbers; * binds before + and -, and a - may stand before a number.
class Calculator {
 public:
  explicit Calculator(std::string text) : text_(std::move(text)) {}
  long value() {
    const long all = sum();
    CHECK(at_ == text_.size());
    return (all % 5 + 5) % 5;
  }

 private:
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  long sum() {
    long all = product();
    while (next() == '+' || next() == '-') all += text_[at_++] == '+' ? product() : -product();
    return all;
  }
  long product() {
    long all = factor();
    while (next() == '*') ++at_, all = all * factor() % 5;
    return all;
  }
  long factor() {
    const char first = text_.at(at_++);
    if (first == '-') return -factor();
    if (first != '(') return first - '0';
    const long inside = sum();
    CHECK(text_.at(at_++) == ')');
    return inside;
  }

  std::string text_;
  std::size_t at_ = 0;
};

std::string written(const Tokens& tokens) {
  std::string text;
  for (const std::int32_t token : tokens) text += std::string("01234+-*()").at(static_cast<std::size_t>(token));
  return text;
}

}  // namespace

TEST_CASE("parity and cycle navigation count") {
  for_small("parity", 1, [](const Sequence& s, std::size_t n) {
    bool odd = false;
    for (const std::int32_t bit : part_of(s.tokens, 0, n)) odd = odd != (bit == 1);
    CHECK(at_a_blank(s, n, 2) == (odd ? 1 : 0));
  });
  for_small("cycle-navigation", 1, [](const Sequence& s, std::size_t n) {
    std::int32_t place = 0;
    for (const std::int32_t step : part_of(s.tokens, 0, n)) {
      place = step == 0 ? place - 1 : step == 1 ? place : place + 1;
      place = place < 0 ? 4 : place > 4 ? 0 : place;
    }
    CHECK(at_a_blank(s, n, 5) == place);
  });
}

TEST_CASE("modular arithmetic, without brackets and with them") {
  std::map<char, int> signs;
  for_small("modular-arithmetic", 1, [&](const Sequence& s, std::size_t n) {
    const std::string text = written(part_of(s.tokens, 0, 2 * n - 1));
    for (std::size_t t = 0; t < text.size(); ++t) CHECK((text[t] < '0' || text[t] > '4') == (t % 2 == 1));
    for (std::size_t t = 1; t < text.size(); t += 2) ++signs[text[t]];
    CHECK(at_a_blank(s, 2 * n - 1, 8) == Calculator(text).value());
  });
  CHECK(signs.size() == 3);
  signs.clear();
  for_small("modular-brackets", 1, [&](const Sequence& s, std::size_t n) {
    const std::string text = written(part_of(s.tokens, 0, n));
    for (const char c : text) ++signs[c];
    CHECK(at_a_blank(s, n, 10) == Calculator(text).value());
  });
  CHECK(signs.size() == 10);
}

namespace {

// Tokens from `at` on, moved behind the expression.
std::int32_t listops_value(const Tokens& tokens, std::size_t& at) {
  const std::int32_t first = tokens.at(at++);
  if (first < 10) return first;
  std::vector<std::int32_t> arguments;
  while (tokens.at(at) != 14) arguments.push_back(listops_value(tokens, at));
  ++at;
  CHECK((!arguments.empty() && arguments.size() <= 5));
  std::int32_t sum = 0;
  for (const std::int32_t one : arguments) sum += one;
  std::sort(arguments.begin(), arguments.end());
  const std::size_t half = arguments.size() / 2;
  if (first == 10) return arguments.back();
  if (first == 11) return arguments.front();
  if (first == 13) return sum % 10;
  return arguments.size() % 2 == 1 ? arguments[half] : (arguments[half - 1] + arguments[half]) / 2;
}

}  // namespace

TEST_CASE("listops: the value of nested lists") {
  std::map<std::int32_t, int> seen;
  for_small("listops", 3, [&](const Sequence& s, std::size_t n) {
    std::size_t end = 0;
    const std::int32_t value = listops_value(s.tokens, end);
    CHECK(end == n);
    CHECK(at_a_blank(s, n, 15) == value);
    for (const std::int32_t token : s.tokens) ++seen[token];
  });
  CHECK(seen.size() == 16);
}

TEST_CASE("stack manipulation: what is left, its top first") {
  int empty = 0;
  for_small("stack-manipulation", 1, [&](const Sequence& s, std::size_t n) {
    std::string stack;
    bool has_acted = false;
    for (const std::int32_t token : part_of(s.tokens, 0, n)) {
      CHECK_FALSE((has_acted && token < 2));
      has_acted = token >= 2;
      if (token == 2 && !stack.empty()) stack.pop_back();
      if (token != 2) stack += token % 2 == (token < 2 ? 1 : 0) ? '1' : '0';
    }
    empty += stack.empty();
    std::string said;
    for (const std::int32_t token : answer(s)) said += static_cast<char>('0' + token);
    CHECK(said == std::string(stack.rbegin(), stack.rend()) + '2');
    CHECK(part_of(s.tokens, n, n + 1) == Tokens(n + 1, 5));
    for (std::size_t t = 0; t < s.mask.size(); ++t) CHECK(s.mask[t] == (t >= n && t <= n + stack.size()));
  });
  CHECK(empty > 10);
}

TEST_CASE("depth of brackets, and a counter") {
  std::int32_t deepest = 0, highest = 0;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const Sequence s = drawn(*at_hand::task("dyck-depth"), 200, i);
    std::int32_t open = 0, closed = 0;
    CHECK((s.tokens.size() == 201 && s.tokens[0] == 2 && s.mask[0] == 0));
    for (std::size_t t = 1; t < s.tokens.size(); ++t) {
      (s.tokens[t] == 0 ? open : closed) += 1;
      CHECK(s.targets[t] == open - closed);
      CHECK((s.targets[t] >= 0 && s.targets[t] <= 8 && s.mask[t] == 1));
      deepest = std::max(deepest, s.targets[t]);
    }
    const Sequence c = drawn(*at_hand::task("counting"), 400, i);
    CHECK(c.tokens[0] == 0);
    for (std::size_t t = 0; t < c.tokens.size(); ++t) {
      std::int32_t since = 0;  // ones added since the counter was set
      for (std::size_t before = t + 1; before-- > 0 && c.tokens[before] != 0;) since += c.tokens[before] == 2;
      CHECK(c.targets[t] == since);
      CHECK((since <= 10 && c.mask[t] == 1));
      highest = std::max(highest, since);
    }
  }
  CHECK(deepest == 8);
  CHECK(highest >= 5);
}
