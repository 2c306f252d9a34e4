// SPDX-License-Identifier: Apache-2.0
#include "poslab/attention/softmax.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "catch.hpp"

using poslab::attention::softmax;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> softmax_of(std::vector<double> row) {
  softmax<double>(row);
  return row;
}

}  // namespace

TEST_CASE("softmax: closed forms") {
  CHECK(softmax_of({3}) == std::vector<double>{1});
  for (const double share : softmax_of({5, 5, 5, 5})) CHECK_THAT(share, check::WithinAbs(0.25, 1e-16));
  const std::vector<double> two = softmax_of({0, std::log(3.0)});
  CHECK_THAT(two[0], check::WithinAbs(0.25, 1e-15));
  CHECK_THAT(two[1], check::WithinAbs(0.75, 1e-15));
}

TEST_CASE("softmax: a geometric row of any length, vector code and remainder alike") {
  for (std::size_t n = 1; n < 40; ++n) {
    std::vector<double> row;
    for (std::size_t j = 0; j < n; ++j) row.push_back(-0.5 * static_cast<double>(j));
    const double ratio = std::exp(-0.5), first = (1 - ratio) / (1 - std::pow(ratio, n));
    const std::vector<double> shares = softmax_of(row);
    for (std::size_t j = 0; j < n; ++j) CHECK_THAT(shares[j], check::WithinRel(first * std::pow(ratio, j), 1e-14));
  }
}

TEST_CASE("softmax: huge logits do not overflow, hidden keys get nothing") {
  CHECK(softmax_of({1e308, 1e308}) == std::vector<double>{0.5, 0.5});
  CHECK(softmax_of({-1e308, 0}) == std::vector<double>{0, 1});
  CHECK(softmax_of({-infinity, 2, -infinity, 2, -infinity}) == std::vector<double>{0, 0.5, 0, 0.5, 0});
  std::vector<double> long_row(20, 1), hidden(20, 0.1);
  for (const std::size_t j : {0u, 3u, 4u, 5u, 6u, 7u, 10u, 13u, 18u, 19u}) long_row[j] = -infinity, hidden[j] = 0;
  CHECK(softmax_of(long_row) == hidden);
  CHECK(softmax_of({-infinity, -infinity}) == std::vector<double>{0, 0});
  CHECK(softmax_of({}).empty());
}

TEST_CASE("softmax: float32 sums to one within its rounding") {
  std::vector<float> row;
  for (int j = 0; j < 1000; ++j) row.push_back(std::sin(static_cast<float>(j)));
  softmax<float>(row);
  double sum = 0;
  for (const float share : row) sum += static_cast<double>(share);
  CHECK_THAT(sum, check::WithinAbs(1, 1e-5));
}
