// SPDX-License-Identifier: Apache-2.0
// An expression of n tokens: a digit, or an operation on one to five expressions, the largest, the smallest, the median
// or the sum modulo ten; at one blank its value.
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
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

using Values = std::array<double, ten>;  // the chance of each

// All ways in which up to five arguments may have values, in any order: rising lists of digits, by how many there are.
struct Arguments {
  std::array<std::vector<Tokens>, max_arguments + 1> lists;
  // [count][list][digit]: the list of one more with that digit
  std::array<std::vector<std::array<std::size_t, ten>>, max_arguments> with;

  Arguments() {
    lists[0] = {{}};
    for (std::size_t count = 0; count < with.size(); ++count) {
      std::map<Tokens, std::size_t> found;
      for (const Tokens& list : lists[count]) {
        std::array<std::size_t, ten>& more = with[count].emplace_back();
        for (std::int32_t digit = 0; digit < ten; ++digit) {
          Tokens longer = list;
          longer.insert(std::upper_bound(longer.begin(), longer.end(), digit), digit);
          more[base::at(digit)] = found.try_emplace(longer, found.size()).first->second;
        }
      }
      lists[count + 1].resize(found.size());
      for (const auto& [list, place] : found) lists[count + 1][place] = list;
    }
  }
};

// The chance of each value of an expression, by its length.
class ValuesByLength {
 public:
  explicit ValuesByLength(Index longest) : values_(2) {
    values_[1].fill(1.0 / ten);
    for (Index length = 2; length <= longest; ++length) {
      divide(length - 2);
      values_.push_back(length == 2 ? Values{} : values_of_lists(base::at(length - 2)));
    }
  }
  const Values& of(Index length) const { return values_[base::at(length)]; }

 private:
  // Arguments of so many tokens together: over all ways to divide these, how likely each list of values is.
  void divide(Index tokens) {
    auto& now = divided_.emplace_back();
    for (std::size_t count = 0; count < now.size(); ++count) now[count].assign(arguments_.lists[count].size(), 0);
    if (tokens == 0) now[0][0] = 1;
    for (Index last = 1; last <= tokens; ++last) {
      const auto& before = divided_[base::at(tokens - last)];
      for (std::size_t count = 0; count + 1 < now.size(); ++count)
        for (std::size_t list = 0; list < before[count].size(); ++list)
          for (std::size_t digit = 0; before[count][list] > 0 && digit < ten; ++digit)
            now[count + 1][arguments_.with[count][list][digit]] += before[count][list] * of(last)[digit];
    }
  }

  // How many arguments there are is alike, and then where they end; what has an argument of two tokens is drawn anew.
  Values values_of_lists(std::size_t tokens) const {
    Values values{};
    double all = 0, ways = 1;  // to divide the tokens among so many
    for (std::size_t count = 1; count <= std::min<std::size_t>(max_arguments, tokens); ++count) {
      const std::vector<double>& likely = divided_[tokens][count];
      for (std::size_t list = 0; list < likely.size(); ++list)
        for (std::int32_t operation = largest; operation < close_list; ++operation) {
          values[base::at(applied(operation, arguments_.lists[count][list]))] += likely[list] / ways;
          all += likely[list] / ways;
        }
      ways *= static_cast<double>(tokens - count) / static_cast<double>(count);
    }
    for (double& value : values) value /= all;
    return values;
  }

  const Arguments arguments_;
  std::vector<Values> values_;
  std::vector<std::array<std::vector<double>, max_arguments + 1>> divided_;  // [tokens][count][list]
};

class ListOps final : public Generated {
 public:
  ListOps() : Generated("listops", 3) {}
  Index vocabulary() const override { return close_list + 2; }
  Index tokens(Index size) const override { return size + 1; }
  Bounds bounds(Index size) const override { return certain(ValuesByLength(size).of(size)); }

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
