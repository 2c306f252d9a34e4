// SPDX-License-Identifier: Apache-2.0
// The context of the last token: the published numbers, closed forms, and whole matrices by plain loops.
#include <cmath>

#include "catch.hpp"
#include "cells.hpp"
#include "context.hpp"

#include "poslab/base/random.hpp"
#include "same_bits.hpp"
#include "thousand.hpp"

using namespace poslab;
using namespace poslab::experiments::u_shape;
using data::Value;

namespace {

using Matrix = std::vector<std::vector<double>>;

cells::Cell cell(const std::string& scheme, std::int64_t length, std::vector<double> depth, double mixing = 0.5) {
  return {"u-shape",
          scheme,
          {{"length", Value(length)}, {"depth", Value(std::move(depth))}, {"mixing", Value(mixing)}},
          {},
          {8, 2, length}};
}

// ALiBi's attention without contents, averaged over two heads of slopes 2^-4 and 2^-8; the causal mean without slopes.
Matrix by_definition(std::size_t N, bool alibi) {
  Matrix A(N, std::vector<double>(N, 0.0));
  for (std::size_t i = 0; i < N; ++i)
    for (const double slope : {alibi ? 0.0625 : 0.0, alibi ? 0.00390625 : 0.0}) {
      double sum = 0;
      for (std::size_t j = 0; j <= i; ++j) sum += std::exp(-slope * static_cast<double>(i - j));
      for (std::size_t j = 0; j <= i; ++j) A[i][j] += std::exp(-slope * static_cast<double>(i - j)) / sum / 2;
    }
  return A;
}

// The last row of ((1 - a) I + a A)^depth, by products of whole matrices.
std::vector<double> by_products(const Matrix& A, int depth, double a) {
  const std::size_t N = A.size();
  Matrix power(N, std::vector<double>(N, 0.0));
  for (std::size_t i = 0; i < N; ++i) power[i][i] = 1;
  for (int t = 0; t < depth; ++t) {
    Matrix next(N, std::vector<double>(N, 0.0));
    for (std::size_t i = 0; i < N; ++i)
      for (std::size_t j = 0; j < N; ++j) {
        next[i][j] = (1 - a) * power[i][j];
        for (std::size_t k = 0; k < N; ++k) next[i][j] += a * A[i][k] * power[k][j];
      }
    power = next;
  }
  return power.back();
}

}  // namespace

TEST_CASE("u-shape of the mask alone: 1024 tokens, four layers, half and half") {
  const cells::Answer none = cells::run(cell("none", 1024, {4}));
  CHECK_THAT(none.scalar("first"), check::WithinAbs(0.014787, 5e-7));
  CHECK_THAT(none.scalar("last"), check::WithinAbs(0.062744, 5e-7));
  CHECK_THAT(none.scalar("last"), check::WithinRel(std::pow(0.5 + 0.5 / 1024, 4), 1e-13));
  CHECK_THAT(none.scalar("middle"), check::WithinAbs(0.573324, 5e-7));
  // (4 + 6 log 2 + 4 (log 2)^2 / 2 + (log 2)^3 / 6) / 16
  const double l = std::log(2.0);
  CHECK_THAT(none.scalar("middle_limit"), check::WithinRel((4 + 6 * l + 2 * l * l + l * l * l / 6) / 16, 1e-13));
  CHECK(none.scalar("first") > none.scalar("middle") / 1024);
  CHECK(none.scalar("last") > none.scalar("middle") / 1024);
}

TEST_CASE("u-shape: what says nothing without contents leaves the mask") {
  const cells::Answer none = cells::run(cell("none", 40, {1, 3}));
  for (const char* id : {"rope", "sinusoidal", "learned"})
    CHECK(cells::run(cell(id, 40, {1, 3})).curve("context") == none.curve("context"));
  CHECK(cells::run(cell("alibi", 40, {1, 3})).curve("first")[1] < none.curve("first")[1]);
}

TEST_CASE("u-shape: a thousand small cases as products of whole matrices give them") {
  const base::Stream draw("u-shape");
  for (std::uint64_t i = 0; i < check::thousand; ++i) {
    const auto N = static_cast<std::int64_t>(1 + draw.below(4 * i, 7));
    const int depth = static_cast<int>(1 + draw.below(4 * i + 1, 5));
    const double mixing = i % 10 == 0 ? 1.0 : draw.uniform(4 * i + 2);
    const bool alibi = draw.below(4 * i + 3, 2) == 1;
    CAPTURE(i, N, depth, mixing, alibi);
    const cells::Answer answer = cells::run(cell(alibi ? "alibi" : "none", N, {static_cast<double>(depth)}, mixing));
    const std::vector<double> row = by_products(by_definition(static_cast<std::size_t>(N), alibi), depth, mixing);
    double sum = 0;
    for (std::size_t p = 0; p < row.size(); ++p) {
      REQUIRE_THAT(answer.curve("context")[p], check::WithinAbs(row[p], 1e-14));
      sum += answer.curve("context")[p];
    }
    REQUIRE_THAT(sum, check::WithinAbs(1, 1e-13));
    // The first token, the last, and the one with as many before it as behind, or one more.
    std::size_t before = 0;
    while (before < row.size() - 1 - before) ++before;
    REQUIRE_THAT(answer.scalar("first"), check::WithinAbs(row.front(), 1e-14));
    REQUIRE_THAT(answer.scalar("last"), check::WithinAbs(row.back(), 1e-14));
    REQUIRE_THAT(answer.scalar("middle"), check::WithinAbs(static_cast<double>(N) * row[before], 1e-13));
  }
}

TEST_CASE("u-shape: the mean distance of the mask's context, and of ALiBi's, which is negative binomial") {
  for (const double mixing : {0.3, 1.0}) {
    const cells::Answer none = cells::run(cell("none", 40, {1, 3}, mixing));
    CHECK_THAT(none.curve("mean_distance")[0], check::WithinRel(39 * mixing / 2, 1e-13));
    CHECK_THAT(none.curve("mean_distance")[1], check::WithinRel(39 * (1 - std::pow(1 - mixing / 2, 3)), 1e-13));
  }
  cells::Cell alibi = cell("alibi", 256, {1, 2, 3, 4}, 1);
  alibi.model = {4, 1, 256};
  alibi.parameters = {{"alibi_bias_max", Value(1.0)}};  // one head of slope 1/2
  const cells::Answer answer = cells::run(alibi);
  const double kept = std::exp(-0.5);
  for (int t = 1; t <= 4; ++t) {
    const auto depth = static_cast<std::size_t>(t - 1);
    CHECK_THAT(answer.curve("mean_distance")[depth], check::WithinRel(t / std::expm1(0.5), 1e-9));
    double ways = 1;  // binomial(r + t - 1, r)
    for (int r = 0; r < 20; ++r) {
      CHECK_THAT(answer.curve("context")[256 * depth + 255 - static_cast<std::size_t>(r)],
                 check::WithinRel(ways * std::pow(1 - kept, t) * std::pow(kept, r), 1e-9));
      ways = ways * (r + t) / (r + 1);
    }
  }
}

TEST_CASE("u-shape of one and two tokens, and of no attention at all") {
  const cells::Answer one = cells::run(cell("rope", 1, {1, 2}));
  CHECK(one.curve("mean_distance") == std::vector<double>{0, 0});
  for (const char* measure : {"first", "last", "middle", "context"})
    CHECK(one.curve(measure) == std::vector<double>{1, 1});
  const cells::Answer two = cells::run(cell("none", 2, {1, 2}, 0.5));
  CHECK(two.curve("context") == std::vector<double>{0.25, 0.75, 0.4375, 0.5625});
  CHECK(cells::run(cell("none", 4, {3}, 0)).curve("context") == std::vector<double>{0, 0, 0, 1});
  CHECK_THAT(cells::run(cell("none", 64, {2}, 1)).scalar("first"), check::WithinAbs(0.0741232954, 1e-9));
}

TEST_CASE("u-shape refuses what is no depth, and tables that are too short") {
  CHECK_THAT(cells::run(cell("none", 4, {1.5})).skip, check::contains("1.5"));
  CHECK_THAT(cells::run(cell("none", 4, {})).skip, check::contains("empty"));
  cells::Cell table = cell("learned", 30, {1});
  table.parameters = {{"max_length", Value(std::int64_t{20})}};
  CHECK_THAT(cells::run(table).skip, check::contains("position 29"));
}

TEST_CASE("u-shape: the same bits on 1, 2 and 8 threads") { cells::check_same_bits(cell("t5", 300, {1, 3})); }
