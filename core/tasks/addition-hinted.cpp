// SPDX-License-Identifier: Apache-2.0
// a + b -> their sum, the greatest digit first, with a hint before each digit: digits of the same place have the same
// one. Hints follow each other, from the first digit of a sum of n + 1 on, and begin anywhere.
#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

#include "parts/counts.hpp"
#include "parts/decimal.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class AdditionHinted final : public Generated {
 public:
  AdditionHinted() : Generated("addition-hinted", 1) {}
  Index vocabulary() const override { return symbols + mark_count; }
  Index tokens(Index size) const override { return prompted_tokens(4 * size + 1, 2 * size + 2); }
  std::optional<base::Refusal> why_not(Index size) const override {
    if (size < hints) return Generated::why_not(size);
    return "the task addition-hinted has " + std::to_string(hints) + " hints, for up to " + std::to_string(hints - 1) +
           " digits, not for " + std::to_string(size);
  }
  // A hint for each digit, of those that begin anywhere; and the end.
  Bounds bounds(Index size) const override {
    const std::array<double, 10> digits = expected_sum_digits(size);
    std::array<double, symbols + 1> asked{};
    std::copy(digits.begin(), digits.end(), asked.begin());
    asked.back() = 1;
    const double longer = std::accumulate(digits.begin(), digits.end(), -static_cast<double>(size));
    for (Index last = size; last < hints; ++last)
      for (Index place = 0; place <= size; ++place)
        asked[base::at(first_hint + last - place)] += (place < size ? 1 : longer) / static_cast<double>(hints - size);
    return certain(asked);
  }

 private:
  static constexpr std::int32_t first_hint = 11;
  static constexpr Index hints = 100, symbols = first_hint + hints;

  // The last digit of all numbers has the hint `last`.
  static Tokens with_hints(const Tokens& digits, std::int32_t last) {
    Tokens out;
    for (std::size_t d = 0; d < digits.size(); ++d) {
      out.push_back(last - static_cast<std::int32_t>(digits.size() - 1 - d));
      out.push_back(digits[d]);
    }
    return out;
  }

  Sequence draw(Dice& dice, Index size) const override {
    const Tokens a = decimal_digits(dice, size), b = decimal_digits(dice, size);
    const auto last = static_cast<std::int32_t>(first_hint + size + dice.below(hints - size));
    const Tokens prompt = joined(joined(with_hints(a, last), {decimal_plus}), with_hints(b, last));
    return prompted(prompt, with_hints(decimal_sum(a, b), last), marks_after(symbols), 2 * size + 2);
  }
};

}  // namespace

TaskInfo make_addition_hinted() {
  return {.title = "addition with hints",
          .sentence = "Say the sum of two decimal numbers whose digits have hints of their places before them.",
          .source = "Zhou et al. 2024 (ICLR; arXiv:2310.16028), index hints",
          .bidirectional = false,
          .size_means = "digits of each number",
          .make = make_task<AdditionHinted>};
}

}  // namespace poslab::tasks
