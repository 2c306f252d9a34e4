// SPDX-License-Identifier: Apache-2.0
// Neighbours in a softmax against known answers, proved bounds, and plain loops over the definition.
// Dimension letters: N tokens, H heads, K head width, C contents.
#include <cmath>

#include "catch.hpp"
#include "cells.hpp"
#include "row.hpp"
#include "same_bits.hpp"
#include "shipped.hpp"
#include "thousand.hpp"

namespace {

using namespace poslab;
using base::Array;
using cells::Answer;
using cells::Cell;
using cells::Index;
using data::Value;
using experiments::softmax_resolution::largest_gap;
using experiments::softmax_resolution::least_attention;
using experiments::softmax_resolution::Row;
using experiments::softmax_resolution::row_of;

using cells::list, cells::whole;

Cell cell(const std::string& scheme, std::int64_t N, std::vector<double> bounds, Index D = 64, Index H = 8) {
  return {"softmax-resolution",
          scheme,
          {{"length", whole(N)}, {"contents", whole(4)}, {"bound", list(bounds)}},
          {},
          {D, H, N}};
}

}  // namespace

TEST_CASE("softmax-resolution: bounded logits by plain loops, 1000 random rows, no row breaks the bounds") {
  const base::Stream draws("softmax-resolution_test");
  for (std::uint64_t number = 0; number < check::thousand; ++number) {
    const std::uint64_t first = 100 * number;
    const std::size_t N = 1 + draws.below(first, 10);
    const double delta = 6 * draws.uniform(first + 1) + 1e-3, keys = static_cast<double>(N);
    std::vector<double> logits;
    for (std::uint64_t i = 0; i < N; ++i) {
      const double at = draws.uniform(first + 10 + i);  // a third of them at each end
      logits.push_back(at < 1.0 / 3 ? -delta : at < 2.0 / 3 ? delta : delta * (2 * draws.uniform(first + 40 + i) - 1));
    }
    CAPTURE(number, N, delta, logits);
    const Row row = row_of(logits);
    double sum = 0, lowest = 1e300, highest = -1e300;
    for (const double s : logits) sum += std::exp(s), lowest = std::min(lowest, s), highest = std::max(highest, s);
    REQUIRE(row.gaps.size() == N - 1);
    for (std::size_t r = 0; r + 1 < N; ++r) {
      REQUIRE_THAT(row.gaps[r], check::WithinAbs(std::abs(std::exp(logits[r]) - std::exp(logits[r + 1])) / sum, 1e-14));
      REQUIRE(row.gaps[r] <= largest_gap(delta, keys) + 1e-14);
    }
    REQUIRE_THAT(row.least, check::WithinAbs(std::exp(lowest) / sum, 1e-14));
    REQUIRE_THAT(row.largest, check::WithinAbs(std::exp(highest) / sum, 1e-14));
    REQUIRE(row.range == highest - lowest);
    REQUIRE(row.least >= least_attention(delta, keys) * (1 - 1e-13));
    REQUIRE(least_attention(delta, keys) >= std::exp(-2 * delta) / keys * (1 - 1e-13));
    REQUIRE(largest_gap(delta, keys) <= (std::exp(2 * delta) - 1) / keys * (1 + 1e-13));
    REQUIRE(row.least * keys >= std::exp(-row.range) * (1 - 1e-13));
    REQUIRE(row.largest * keys <= std::exp(row.range) * (1 + 1e-13));
  }
}

TEST_CASE("softmax-resolution: the bits of a row do not depend on where memory for it is found") {
  const base::Array<double> drawn = data::Draws(1, "softmax-resolution", "", 0).normal("row", {97});
  std::vector<Row> rows;
  std::vector<std::vector<char>> taken;  // so that what a row takes lies elsewhere each time
  for (std::size_t number = 0; number < 64; ++number) {
    for (std::size_t bytes = 700; bytes < 900; bytes += 16) taken.emplace_back(bytes + 16 * (number % 5));
    rows.push_back(row_of(drawn.flat()));
    CHECK(rows.back().gaps == rows.front().gaps);
    CHECK(rows.back().least == rows.front().least);
  }
}

TEST_CASE("softmax-resolution: the bounds are reached") {
  for (const double delta : {0.1, 1.0, 4.0}) {
    std::vector<double> one_above(50, -delta), one_below(50, delta);
    one_above[7] = delta, one_below[7] = -delta;
    CHECK_THAT(row_of(one_above).gaps[7], check::WithinRel(largest_gap(delta, 50), 1e-13));
    CHECK_THAT(row_of(one_below).least, check::WithinRel(least_attention(delta, 50), 1e-13));
  }
  CHECK(largest_gap(2, 1) == 0);
  CHECK(least_attention(2, 1) == 1);
}

TEST_CASE("softmax-resolution of nothing: all keys alike") {
  const Answer answer = cells::run(cell("none", 100, {1, 8, 300}));
  for (const double gap : answer.curve("gap")) REQUIRE(gap == 0);
  for (const std::string name : {"least_attention", "most_attention"})
    for (const double share : answer.curve(name)) CHECK_THAT(share, check::WithinAbs(1, 1e-13));
  CHECK(answer.curve("logit_range") == std::vector<double>{0, 0, 0});
  for (std::size_t i = 0; i < 3; ++i)
    CHECK_THAT(answer.curve("gap_limit")[i],
               check::WithinRel((1 - std::exp(-2 * std::vector<double>{1, 8, 300}[i])) /
                                    (1 + 99 * std::exp(-2 * std::vector<double>{1, 8, 300}[i])),
                                1e-13));
}

TEST_CASE("softmax-resolution of ALiBi: (1 - exp(-m))^2 exp(-m r) / (1 - exp(-m N)) whatever the norms are") {
  const Index N = 60;
  const Answer answer = cells::run(cell("alibi", N, {1, 5}));
  for (std::size_t b = 0; b < 2; ++b)
    for (Index r = 0; r + 1 < N; ++r) {
      double largest = 0;
      for (Index h = 0; h < 8; ++h) {
        const double m = std::exp2(-static_cast<double>(h + 1)), fall = -std::expm1(-m);
        largest = std::max(
            largest, fall * fall * std::exp(-m * static_cast<double>(r)) / -std::expm1(-m * static_cast<double>(N)));
      }
      REQUIRE_THAT(answer.curve("gap")[b * static_cast<std::size_t>(N - 1) + static_cast<std::size_t>(r)],
                   check::WithinAbs(largest, 1e-13));
    }
  CHECK_FALSE(answer.has("gap_limit"));
}

TEST_CASE("softmax-resolution of RoPE, by plain loops over the definition, and within the bounds of its norms") {
  const Index N = 40, C = 4, H = 2, K = 8;
  const std::vector<double> bounds{0.5, 3};
  const Answer answer = cells::run(cell("rope", N, bounds, H * K, H));
  const data::Draws draws(20261121, "softmax-resolution", "", 0);
  for (std::size_t b = 0; b < 2; ++b) {
    std::vector<double> gaps(static_cast<std::size_t>(N - 1));
    double least = 1, most = 0, range = 0;
    for (Index c = 0; c < C; ++c) {
      const Array<double> x = draws.normal("content " + std::to_string(c), {H, K});
      for (Index h = 0; h < H; ++h) {
        double squares = 0, sum = 0, lowest = 1e300, highest = -1e300;
        for (Index a = 0; a < K; ++a) squares += x(h, a) * x(h, a);
        std::vector<double> logits;
        for (Index r = 0; r < N; ++r) {
          double logit = 0;
          for (Index m = 0; m < K / 2; ++m)
            logit += bounds[b] * (x(h, 2 * m) * x(h, 2 * m) + x(h, 2 * m + 1) * x(h, 2 * m + 1)) / squares *
                     std::cos(static_cast<double>(r) * std::pow(1e4, -2 * static_cast<double>(m) / K));
          logits.push_back(logit);
          sum += std::exp(logit), lowest = std::min(lowest, logit), highest = std::max(highest, logit);
        }
        for (std::size_t r = 0; r + 1 < logits.size(); ++r)
          gaps[r] = std::max(gaps[r], std::abs(std::exp(logits[r]) - std::exp(logits[r + 1])) / sum);
        least = std::min(least, std::exp(lowest) / sum);
        most = std::max(most, std::exp(highest) / sum);
        range = std::max(range, highest - lowest);
      }
    }
    for (std::size_t r = 0; r < gaps.size(); ++r)
      REQUIRE_THAT(answer.curve("gap")[b * gaps.size() + r], check::WithinAbs(gaps[r], 1e-13));
    CHECK(answer.curve("largest_gap")[b] ==
          *std::max_element(answer.curve("gap").begin() + static_cast<std::ptrdiff_t>(b * gaps.size()),
                            answer.curve("gap").begin() + static_cast<std::ptrdiff_t>((b + 1) * gaps.size())));
    CHECK_THAT(answer.curve("least_attention")[b], check::WithinAbs(static_cast<double>(N) * least, 1e-12));
    CHECK_THAT(answer.curve("most_attention")[b], check::WithinAbs(static_cast<double>(N) * most, 1e-12));
    CHECK_THAT(answer.curve("logit_range")[b], check::WithinAbs(range, 1e-12));
    CHECK(answer.curve("largest_gap")[b] < answer.curve("gap_limit")[b]);
    CHECK(answer.curve("least_attention")[b] > answer.curve("least_limit")[b]);
    CHECK(answer.curve("least_limit")[b] >= std::exp(-2 * bounds[b]));
  }
}

TEST_CASE("softmax-resolution: every shipped scheme is within the bounds of its logits' range, or says why not") {
  std::size_t measured = 0;
  for (const std::string& id : shipped_schemes()) {
    CAPTURE(id);
    const Answer answer = cells::run(cell(id, 24, {2}, 48, 2));
    if (!answer.skip.empty()) {
      CHECK(answer.skip.find(' ') != std::string::npos);
      continue;
    }
    ++measured;
    const double range = answer.curve("logit_range")[0];
    CHECK(answer.curve("least_attention")[0] >= std::exp(-range) * (1 - 1e-12));
    CHECK(answer.curve("most_attention")[0] <= std::exp(range) * (1 + 1e-12));
    if (!answer.has("gap_limit")) continue;
    CHECK(range <= 4 * (1 + 1e-12));  // logits between -2 and 2
    CHECK(answer.curve("largest_gap")[0] <= answer.curve("gap_limit")[0]);
    CHECK(answer.curve("least_attention")[0] >= answer.curve("least_limit")[0] * (1 - 1e-12));
  }
  CHECK(measured > 30);
}

TEST_CASE("softmax-resolution: lengths 1 and 2, and what cannot be asked") {
  CHECK_THAT(cells::run(cell("rope", 1, {1})).skip, check::contains("length = 1") && check::contains("at least 2"));
  CHECK_THAT(cells::run(cell("rope", 5, {})).skip, check::contains("empty"));
  Cell beyond = cell("learned", 70, {1});
  beyond.model.train_length = 64;
  beyond.parameters = {{"max_length", whole(64)}};
  CHECK_THAT(cells::run(beyond).skip, check::contains("position 69"));
  Cell at = cell("rope", 3, {1});
  at.placement.policy = data::Placement::Policy::at;
  at.placement.values = {0, 1, 5};
  CHECK_THAT(cells::run(at).skip, check::contains("neighbours"));
  const Answer two = cells::run(cell("alibi", 2, {1}));
  CHECK(two.curve("gap").size() == 1);
  CHECK_THAT(two.curve("gap")[0], check::WithinAbs(std::tanh(0.25), 1e-15));  // m = 1/2 apart
}

TEST_CASE("softmax-resolution: the same bits on 1, 2 and 8 threads") {
  cells::check_same_bits(cell("rope", 90, {1, 4}));
}
