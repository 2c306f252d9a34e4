// SPDX-License-Identifier: Apache-2.0
// An expression of n tokens: a digit, or an operation on one to five expressions, the largest, the smallest, the median
// or the sum modulo ten; at one blank its value.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

constexpr std::int32_t ten = 10, largest = 10, smallest = 11, median = 12, close_list = 14;
constexpr Index max_arguments = 5;

std::int32_t applied(std::int32_t operation, Tokens arguments) {
  std::sort(arguments.begin(), arguments.end());
  if (operation == largest) return arguments.back();
  if (operation == smallest) return arguments.front();
  const std::size_t n = arguments.size();
  if (operation == median) return (arguments[(n - 1) / 2] + arguments[n / 2]) / 2;
  return std::accumulate(arguments.begin(), arguments.end(), 0) % ten;
}

// How long each of the arguments is that are `length` tokens together: how many, and where one ends, alike, but for
// those that would have an argument of two tokens, as there is no such expression.
std::vector<Index> drawn_lengths(Dice& dice, Index length) {
  for (;;) {
    const Index count = 1 + dice.below(std::min(max_arguments, length));
    std::vector<Index> ends = dice.different(count - 1, length - 1);
    std::sort(ends.begin(), ends.end());
    ends.push_back(length - 1);
    std::vector<Index> lengths;
    for (std::size_t a = 0; a < ends.size(); ++a) lengths.push_back(ends[a] - (a > 0 ? ends[a - 1] : -1));
    if (std::find(lengths.begin(), lengths.end(), 2) == lengths.end()) return lengths;
  }
}

// Appends an expression, and returns its value.
std::int32_t append_expression(Dice& dice, Index length, Tokens& tokens) {
  if (length == 1) {
    tokens.push_back(dice.token(ten));
    return tokens.back();
  }
  const std::int32_t operation = largest + dice.token(4);
  tokens.push_back(operation);
  Tokens arguments;
  for (const Index of_argument : drawn_lengths(dice, length - 2))
    arguments.push_back(append_expression(dice, of_argument, tokens));
  tokens.push_back(close_list);
  return applied(operation, arguments);
}

class ListOps final : public Generated {
 public:
  ListOps() : Generated("listops", 3) {}
  Index vocabulary() const override { return close_list + 2; }
  Index tokens(Index size) const override { return size + 1; }
  Bounds bounds(Index /*size*/) const override { return certain(Bounds::unknown, Bounds::unknown); }

 private:
  Sequence draw(Dice& dice, Index size) const override {
    Tokens expression;
    const std::int32_t value = append_expression(dice, size, expression);
    return at_blanks(expression, {value}, close_list + 1);
  }
};

}  // namespace

TaskInfo make_listops() {
  return {.title = "ListOps, at a blank",
          .sentence = "At a blank behind nested lists of digits, say what their operations come to.",
          .source = "after Nangia and Bowman 2018 (NAACL SRW; arXiv:1804.06028), trees by their length",
          .size_means = "tokens of the expression",
          .min_size = 3,
          .make = make_task<ListOps>};
}

}  // namespace poslab::tasks
