// SPDX-License-Identifier: Apache-2.0
// Two numbers of n decimal digits with a times between them -> their product of 2 n digits, the first of which may be
// 0; the least digit first everywhere.
#include <algorithm>
#include <cstddef>

#include "parts/counts.hpp"
#include "parts/decimal.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

// The greatest digit first.
Tokens decimal_product(const Tokens& a, const Tokens& b) {
  std::vector<std::int64_t> places(a.size() + b.size(), 0);  // the least first
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) places[i + j] += std::int64_t{a[a.size() - 1 - i]} * b[b.size() - 1 - j];
  Tokens product;
  std::int64_t carry = 0;
  for (const std::int64_t place : places) {
    product.push_back(static_cast<std::int32_t>((place + carry) % 10));
    carry = (place + carry) / 10;
  }
  std::reverse(product.begin(), product.end());
  return product;
}

class Multiplication final : public Generated {
 public:
  Multiplication() : Generated("multiplication", 1) {}
  Index vocabulary() const override { return decimal_symbols + mark_count; }
  Index tokens(Index size) const override { return prompted_tokens(2 * size + 1, 2 * size); }
  Bounds bounds(Index /*size*/) const override { return certain(Bounds::unknown, Bounds::unknown); }

 private:
  static constexpr std::int32_t times = decimal_plus;

  Sequence draw(Dice& dice, Index size) const override {
    Tokens a = decimal_digits(dice, size), b = decimal_digits(dice, size), product = decimal_product(a, b);
    for (Tokens* digits : {&a, &b, &product}) std::reverse(digits->begin(), digits->end());
    Tokens prompt = a;
    prompt.push_back(times);
    prompt.insert(prompt.end(), b.begin(), b.end());
    return prompted(prompt, product, marks_after(decimal_symbols));
  }
};

}  // namespace

TaskInfo make_multiplication() {
  return {.title = "multiplication",
          .sentence = "Say the product of two decimal numbers, all of them with the least digit first.",
          .source = "ours; products of n by n digits as in Lee et al. 2024 (ICLR; arXiv:2307.03381)",
          .bidirectional = false,
          .size_means = "digits of each number",
          .make = make_task<Multiplication>};
}

}  // namespace poslab::tasks
