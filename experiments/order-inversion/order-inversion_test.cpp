// SPDX-License-Identifier: Apache-2.0
// The farther key against known answers, closed forms, and plain loops over the definition.
// Dimension letters: N tokens, H heads, K head width, C contents.
#include <cmath>
#include <numbers>

#include "catch.hpp"
#include "cells.hpp"
#include "inversion.hpp"
#include "same_bits.hpp"
#include "shipped.hpp"
#include "thousand.hpp"

namespace {

using namespace poslab;
using base::Array;
using cells::Answer;
using cells::Cell;
using cells::Index;
using data::Draws;
using data::Value;

using cells::list, cells::whole;

Cell cell(const std::string& scheme, std::int64_t N, std::vector<double> distances, std::int64_t C = 4, Index D = 16,
          Index H = 2) {
  return {"order-inversion",
          scheme,
          {{"length", whole(N)}, {"contents", whole(C)}, {"distance", list(distances)}},
          {},
          {D, H, N}};
}

Draws draws() { return {20261121, "order-inversion", "", 0}; }

double angle(Index plane, Index K) { return std::pow(1e4, -2 * static_cast<double>(plane) / static_cast<double>(K)); }

// The logit of q and k a distance apart, times sqrt(K), under RoPE.
double rotated(const double* q, const double* k, double distance, Index K) {
  double sum = 0;
  for (Index m = 0; m < K / 2; ++m) {
    const double rotation = distance * angle(m, K);
    sum += std::cos(rotation) * (q[2 * m] * k[2 * m] + q[2 * m + 1] * k[2 * m + 1]) +
           std::sin(rotation) * (q[2 * m] * k[2 * m + 1] - q[2 * m + 1] * k[2 * m]);
  }
  return sum;
}

double normal_distribution(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

}  // namespace

TEST_CASE("order-inversion: shares by plain loops, 1000 random rows with ties") {
  using experiments::order_inversion::flip;
  using experiments::order_inversion::inversion;
  const base::Stream stream("order-inversion_test");
  for (std::uint64_t number = 0; number < check::thousand; ++number) {
    const std::size_t N = 1 + stream.below(1000 * number, 12), near = stream.below(1000 * number + 1, 12);
    std::vector<double> a, b, rounded_a, rounded_b;  // the second apart by less than the slack
    for (std::uint64_t i = 0; i < N; ++i) {
      a.push_back(static_cast<double>(stream.below(1000 * number + 100 + i, 5)));
      b.push_back(static_cast<double>(stream.below(1000 * number + 200 + i, 5)));
      rounded_a.push_back(a.back() + 0.2 * stream.uniform(1000 * number + 300 + i));
      rounded_b.push_back(b.back() + 0.2 * stream.uniform(1000 * number + 400 + i));
    }
    CAPTURE(number, N, near, a, b);
    double above = 0, level = 0, count = 0;
    for (std::size_t far = 0; far < N; ++far) {
      if (far <= near) continue;
      ++count;
      if (a[far] > a[near]) ++above;
      if (a[far] == a[near]) ++level;
    }
    const double found = inversion(rounded_a, near, 0.25), flipped = flip(rounded_a, rounded_b, near, 0.25);
    if (count == 0)
      REQUIRE(std::isnan(found));
    else
      REQUIRE_THAT(found, check::WithinAbs((above + level / 2) / count, 1e-15));
    if (near >= N) {
      REQUIRE(std::isnan(flipped));
      continue;
    }
    const auto sign = [&](std::size_t at) { return (a[at] > b[at]) - (a[at] < b[at]); };
    REQUIRE(flipped == std::abs(sign(0) - sign(near)) / 2.0);
  }
}

TEST_CASE("order-inversion of nothing: a half, and no two keys ever change places") {
  const Answer answer = cells::run(cell("none", 200, {0, 1, 50}, 64, 64, 8));
  for (const std::string name : {"inversion_moved", "inversion_equal"}) {
    CHECK(answer.curve(name) == std::vector<double>{0.5, 0.5, 0.5});
    CHECK(answer.curve(name + "_error") == std::vector<double>{0, 0, 0});
  }
  CHECK(answer.curve("relevance_flip") == std::vector<double>{0, 0, 0});
  for (std::size_t r = 0; r < 3; ++r)
    CHECK_THAT(answer.curve("inversion_random")[r],
               check::WithinAbs(0.5, 5 * answer.curve("inversion_random_error")[r]));
}

TEST_CASE("order-inversion of ALiBi: one key never wins from farther, of two it does by the normal distribution") {
  const Index N = 40, C = 400, H = 2, K = 8;
  const Answer answer = cells::run(cell("alibi", N, {0, 3, 38}, C, H * K, H));
  for (const std::string name : {"inversion_moved", "inversion_equal", "relevance_flip"})
    CHECK(answer.curve(name) == std::vector<double>{0, 0, 0});
  // Given the query, s(r') - s(r) ~ N(-slope (r' - r), 2 |q|^2 / K).
  for (std::size_t at = 0; at < 3; ++at) {
    const Index near = std::vector<Index>{0, 3, 38}[at];
    double sum = 0, count = 0;
    for (Index c = 0; c < C; ++c) {
      const Array<double> q = draws().normal("query of content " + std::to_string(c), {H, K});
      for (Index h = 0; h < H; ++h) {
        double squares = 0;
        for (Index a = 0; a < K; ++a) squares += q(h, a) * q(h, a);
        const double slope = std::exp2(-4.0 * static_cast<double>(h + 1));
        for (Index far = near + 1; far < N; ++far) {
          sum += normal_distribution(-slope * static_cast<double>(far - near) /
                                     std::sqrt(2 * squares / static_cast<double>(K)));
          ++count;
        }
      }
    }
    CHECK_THAT(answer.curve("inversion_random")[at],
               check::WithinAbs(sum / count, 4 * answer.curve("inversion_random_error")[at]));
  }
}

TEST_CASE("order-inversion of RoPE with one plane: its own content wins as often as cosines are above a cosine") {
  const Index N = 300;
  const Answer answer = cells::run(cell("rope", N, {0, 1, 3, 100}, 2, 2, 1));
  for (std::size_t at = 0; at < 4; ++at) {
    const auto near = static_cast<Index>(std::vector<double>{0, 1, 3, 100}[at]);
    double above = 0;
    for (Index far = near + 1; far < N; ++far)
      above += std::cos(static_cast<double>(far)) > std::cos(static_cast<double>(near)) ? 1 : 0;
    CHECK_THAT(answer.curve("inversion_equal")[at], check::WithinAbs(above / static_cast<double>(N - near - 1), 1e-14));
  }
  CHECK(answer.curve("inversion_equal")[0] == 0);  // a copy at distance 0 cannot be beaten
}

TEST_CASE("order-inversion of RoPE: two keys change places with probability arccos(rho) / pi") {
  const Index C = 3000, K = 8, N = 400;
  const std::vector<double> distances{0, 1, 5, 40, 390};
  const Answer answer = cells::run(cell("rope", N, distances, C, K, 1));
  CHECK(answer.curve("relevance_flip")[0] == 0);
  for (std::size_t at = 1; at < distances.size(); ++at) {
    double sum = 0;
    for (Index c = 0; c < C; ++c) {
      const Array<double> q = draws().normal("query of content " + std::to_string(c), {1, K});
      double squares = 0, kept = 0;
      for (Index m = 0; m < K / 2; ++m) {
        const double energy = q(0, 2 * m) * q(0, 2 * m) + q(0, 2 * m + 1) * q(0, 2 * m + 1);
        squares += energy;
        kept += energy * std::cos(distances[at] * angle(m, K));
      }
      sum += std::acos(kept / squares) / std::numbers::pi;
    }
    CAPTURE(distances[at]);
    CHECK_THAT(answer.curve("relevance_flip")[at],
               check::WithinAbs(sum / static_cast<double>(C), 4 * answer.curve("relevance_flip_error")[at]));
  }
}

TEST_CASE("order-inversion of RoPE, by plain loops over the definition") {
  const Index N = 30, C = 4, H = 2, K = 8;
  const std::vector<double> distances{0, 2, 10};
  const Answer answer = cells::run(cell("rope", N, distances, C, H * K, H));
  for (std::size_t at = 0; at < 3; ++at) {
    const auto near = static_cast<Index>(distances[at]);
    double random = 0, moved = 0, equal = 0, flips = 0, pairs = 0;
    for (Index c = 0; c < C; ++c) {
      const std::string of = " of content " + std::to_string(c);
      const Array<double> q = draws().normal("query" + of, {H, K}), one = draws().normal("key" + of, {H, K}),
                          other = draws().normal("other key" + of, {H, K}), all = draws().normal("key" + of, {H, N, K});
      for (Index h = 0; h < H; ++h) {
        const double* query = &q(h, 0);
        for (Index far = near + 1; far < N; ++far) {
          const auto a = static_cast<double>(near), b = static_cast<double>(far);
          random += rotated(query, &all(h, N - 1 - far, 0), b, K) > rotated(query, &all(h, N - 1 - near, 0), a, K);
          moved += rotated(query, &one(h, 0), b, K) > rotated(query, &one(h, 0), a, K);
          equal += rotated(query, query, b, K) > rotated(query, query, a, K);
          ++pairs;
        }
        const auto order = [&](double r) {
          return rotated(query, &one(h, 0), r, K) > rotated(query, &other(h, 0), r, K);
        };
        flips += order(0) != order(static_cast<double>(near));
      }
    }
    CHECK_THAT(answer.curve("inversion_random")[at], check::WithinAbs(random / pairs, 1e-14));
    CHECK_THAT(answer.curve("inversion_moved")[at], check::WithinAbs(moved / pairs, 1e-14));
    CHECK_THAT(answer.curve("inversion_equal")[at], check::WithinAbs(equal / pairs, 1e-14));
    CHECK_THAT(answer.curve("relevance_flip")[at], check::WithinAbs(flips / static_cast<double>(C * H), 1e-14));
  }
}

TEST_CASE("order-inversion: lengths 1 and 2, distances beyond the sequence, one content") {
  CHECK_THAT(cells::run(cell("rope", 1, {0})).skip, check::contains("length = 1") && check::contains("at least 2"));
  CHECK_THAT(cells::run(cell("rope", 9, {8, 20})).skip, check::contains("least distance 8") && check::contains("at 8"));
  CHECK_THAT(cells::run(cell("rope", 9, {0.5})).skip, check::contains("0.5") && check::contains("whole number"));
  CHECK_THAT(cells::run(cell("rope", 9, {})).skip, check::contains("empty"));
  const Answer two = cells::run(cell("alibi", 2, {0, 1, 5}, 1));
  CHECK(two.curve("inversion_equal")[0] == 0);
  CHECK(std::isnan(two.curve("inversion_equal")[1]));  // no key is farther than 1
  CHECK(two.curve("relevance_flip")[1] == 0);
  CHECK(std::isnan(two.curve("relevance_flip")[2]));
  CHECK(std::isnan(two.curve("inversion_random_error")[0]));
  Cell grid = cell("sincos-2d", 16, {0});
  grid.placement = cells::grid({4, 4});
  CHECK_THAT(cells::run(grid).skip, check::contains("grid"));
}

TEST_CASE("order-inversion: every shipped scheme has probabilities, or a sentence why not") {
  std::size_t measured = 0;
  for (const std::string& id : shipped_schemes()) {
    CAPTURE(id);
    const Answer answer = cells::run(cell(id, 24, {0, 3}, 2, 48, 2));
    if (!answer.skip.empty()) {
      CHECK(answer.skip.find(' ') != std::string::npos);
      continue;
    }
    ++measured;
    for (const std::string name : {"inversion_random", "inversion_moved", "inversion_equal", "relevance_flip"})
      for (const double share : answer.curve(name)) CHECK((share >= 0 && share <= 1));
  }
  CHECK(measured > 30);
}

TEST_CASE("order-inversion: the same bits on 1, 2 and 8 threads") {
  cells::check_same_bits(cell("rope", 90, {0, 7}, 9));
}
