// SPDX-License-Identifier: Apache-2.0
// Two numbers of n decimal digits with a times between them -> their product of 2 n digits, the first of which may be
// 0; the least digit first everywhere.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

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

using Asked = std::array<double, 11>;  // how often each digit stands in a product; the last is the end

// Over all products.
Asked counted_digits(Index n) {
  Asked asked{};
  const auto above = static_cast<std::int64_t>(std::pow(10, n)), least = above / 10;
  for (std::int64_t a = least; a < above; ++a)
    for (std::int64_t b = least; b < above; ++b) {
      std::int64_t rest = a * b;
      for (Index place = 0; place < 2 * n; ++place, rest /= 10) asked[base::at(rest % 10)] += 1;
    }
  for (double& often : asked) often /= static_cast<double>((above - least) * (above - least));
  return asked;
}

// The digit of 10^k where the last k + 1 digits of both numbers are alike often. b times an a of which g is the
// greatest common divisor with 10^(k + 1) is any multiple of g, alike, and these have every digit alike often unless g
// is a multiple of p^(k + 1), p = 2 or 5. Of the multiples of p^(k + 1) q^j, with pq = 10 and f = q^(k - j), there are
// ceil((d + 1) f / p) - ceil(d f / p) among pq f / p with the digit d.
void add_low_digit(Index k, Asked& asked) {
  for (std::size_t digit = 0; digit < 10; ++digit) asked[digit] += 0.1 - 0.1 * std::pow(0.1, k + 1);
  asked[0] += std::pow(0.1, k + 1);  // a is a multiple of 10^(k + 1)
  for (const std::int32_t p : {2, 5}) {
    const std::int32_t q = 10 / p;
    const double share = (1 - 1. / q) * std::pow(p, -k - 1) * std::pow(q, -k) / 10;
    std::int32_t f = 1;  // modulo p
    for (Index power = 0; power <= k; ++power, f = f * q % p)
      for (std::int32_t digit = 0; digit < 10; ++digit) {
        const auto short_of_whole = [&](std::int32_t d) { return (p - d * f % p) % p; };
        asked[base::at(digit)] += share * (short_of_whole(digit + 1) - short_of_whole(digit));
      }
  }
}

// The share of products below z, of numbers that are anywhere between `least` and `most`.
double share_below(double z, double least, double most) {
  const double all = (most - least) * (most - least);
  if (z <= least * least) return 0;
  if (z >= most * most) return 1;
  if (z < least * most) return (z * std::log(z / (least * least)) - z + least * least) / all;
  return 1 - (most * most - z - z * std::log(most * most / z)) / all;
}

// The first four digits are those of products of real numbers, each of which stands for the whole number in the middle
// of as much as lies between two; the digits between these and the last n are alike often. A test says how far off
// that is.
Asked expected_digits(Index n) {
  constexpr Index first_digits = 4;
  Asked asked{};
  const double half = std::pow(0.1, n - 1) / 2;
  double unit = 10;  // of the digit; numbers are 1 to 10, products 1 to 100
  for (Index place = 0, values = 10; place < first_digits; ++place, values *= 10, unit /= 10)
    for (Index value = 0; value < values; ++value)
      asked[base::at(value % 10)] += share_below(static_cast<double>(value + 1) * unit, 1 - half, 10 - half) -
                                     share_below(static_cast<double>(value) * unit, 1 - half, 10 - half);
  for (Index k = 0; k < n; ++k) add_low_digit(k, asked);  // the last one all but exactly
  for (std::size_t digit = 0; digit < 10; ++digit) asked[digit] += 0.1 * static_cast<double>(n - first_digits);
  return asked;
}

class Multiplication final : public Generated {
 public:
  Multiplication() : Generated("multiplication", 1) {}
  Index vocabulary() const override { return decimal_symbols + mark_count; }
  Index tokens(Index size) const override { return prompted_tokens(2 * size + 1, 2 * size); }
  Bounds bounds(Index size) const override {
    std::array<double, 11> asked = size <= 3 ? counted_digits(size) : expected_digits(size);
    asked.back() = 1;  // the end
    return certain(asked);
  }

 private:
  static constexpr std::int32_t times = decimal_plus;

  Sequence draw(Dice& dice, Index size) const override {
    Tokens a = decimal_digits(dice, size), b = decimal_digits(dice, size), product = decimal_product(a, b);
    for (Tokens* digits : {&a, &b, &product}) std::reverse(digits->begin(), digits->end());
    return prompted(joined(joined(a, {times}), b), product, marks_after(decimal_symbols));
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
