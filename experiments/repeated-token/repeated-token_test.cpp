// SPDX-License-Identifier: Apache-2.0
// A repeated token: attention in closed form, states that stay alike, and Kazemnejad's constructions.
#include <cmath>

#include "catch.hpp"
#include "cells.hpp"
#include "repetition.hpp"

#include "poslab/base/random.hpp"
#include "same_bits.hpp"

using namespace poslab;
using namespace poslab::experiments::repeated_token;
using data::Value;

namespace {

cells::Cell repeated_cell(const std::string& scheme, std::int64_t length, std::vector<double> depth = {1, 2, 3},
                          host::Model model = {16, 4, 64}) {
  model.train_length = length;
  return {"repeated-token", scheme, {{"length", Value(length)}, {"depth", Value(std::move(depth))}}, {}, model};
}

void check_below(const std::vector<double>& values, double most) {
  for (const double value : values) CHECK(value <= most);
}

}  // namespace

TEST_CASE("repeated-token: without positions attention is 1/t in every layer and head, and nothing is learned of it") {
  for (const std::int64_t N : {1, 2, 7, 300}) {
    CAPTURE(N);
    const cells::Answer none = cells::run(repeated_cell("none", N));
    check_below(none.curve("even_deviation"), 1e-12);
    check_below(none.curve("bias_deviation"), 1e-12);
    check_below(none.curve("state_deviation"), 1e-12);
    for (const double share : none.curve("last_attention"))
      CHECK_THAT(share, check::WithinAbs(1 / static_cast<double>(N), 1e-14));
    CHECK(none.scalar("query_key_gradient") <= 1e-12);
    CHECK(none.scalar("count_error") <= 1e-12);
    CHECK(none.scalar("distance_error") <= 1e-12);
  }
}

TEST_CASE("repeated-token: ALiBi leaves its geometric rows, in any layer") {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const base::Stream draw("repeated " + std::to_string(i));
    const auto N = static_cast<std::int64_t>(1 + draw.below(0, 9));
    const auto H = static_cast<Index>(1) << draw.below(1, 3);
    cells::Cell cell = repeated_cell("alibi", N, {static_cast<double>(1 + draw.below(2, 2))}, {2 * H, H, N});
    cell.repeat = static_cast<int>(i);
    CAPTURE(i, N, H);
    const cells::Answer alibi = cells::run(cell);
    double deviation = 0;
    for (Index h = 0; h < H; ++h) {
      const double slope = std::exp2(-8.0 * static_cast<double>(h + 1) / static_cast<double>(H));
      for (Index row = 0; row < N; ++row) {
        double sum = 0;
        for (Index j = 0; j <= row; ++j) sum += std::exp(-slope * static_cast<double>(row - j));
        for (Index j = 0; j <= row; ++j) {
          const double share = std::exp(-slope * static_cast<double>(row - j)) / sum;
          deviation = std::max(deviation, std::abs(share - 1 / static_cast<double>(row + 1)));
          if (row + 1 == N)
            REQUIRE_THAT(alibi.curve("last_attention")[static_cast<std::size_t>(h * N + j)],
                         check::WithinAbs(share, 1e-12));
        }
      }
    }
    REQUIRE_THAT(alibi.scalar("even_deviation"), check::WithinAbs(deviation, 1e-12));
    REQUIRE(alibi.scalar("bias_deviation") <= 1e-12);
  }
}

TEST_CASE("repeated-token: states stay alike where positions enter the logits alone") {
  for (const char* scheme : {"alibi", "t5", "rope"}) {
    CAPTURE(scheme);
    const cells::Answer answer = cells::run(repeated_cell(scheme, 40));
    check_below(answer.curve("state_deviation"), 1e-12);
    CHECK(answer.scalar("query_key_gradient") <= 1e-12);
    CHECK(answer.scalar("distance_error") > 1e-3);
  }
  check_below(cells::run(repeated_cell("t5", 40)).curve("bias_deviation"), 1e-12);
  CHECK(cells::run(repeated_cell("rope", 40)).curve("bias_deviation")[0] > 1e-3);
  for (const char* scheme : {"sinusoidal", "learned"}) {
    CAPTURE(scheme);
    const cells::Answer answer = cells::run(repeated_cell(scheme, 40));
    for (const double deviation : answer.curve("state_deviation")) CHECK(deviation > 1e-3);
    CHECK(answer.scalar("query_key_gradient") > 1e-3);
    CHECK(answer.scalar("count_error") > 1e-3);
    CHECK(answer.scalar("distance_error") > 1e-3);
  }
}

TEST_CASE("repeated-token: what a scheme does to counting, by hand") {
  // Under ALiBi the first token gets e^(-m (t-1)) (1 - e^-m) / (1 - e^(-m t)) at token t = 1 .. N.
  const std::int64_t N = 30;
  double count = 0;
  for (int h = 1; h <= 4; ++h)
    for (int t = 1; t <= N; ++t) {
      const double m = std::exp2(-2 * h), first = std::exp(-m * (t - 1)) * (1 - std::exp(-m)) / (1 - std::exp(-m * t));
      count = std::max(count, std::abs(first - 1.0 / t));
    }
  const cells::Answer alibi = cells::run(repeated_cell("alibi", N));
  CHECK_THAT(alibi.scalar("count_error"), check::WithinAbs(count, 1e-12));
  CHECK_THAT(alibi.scalar("distance_error"), check::WithinAbs(0.25 * (N - 1) / N, 1e-12));  // the steepest slope's bias
  CHECK(cells::run(repeated_cell("none", 1024)).scalar("count_error") <= 1e-12);
}

TEST_CASE("repeated-token: what a code in channel 1 does to distances, by hand") {
  // The index makes queries (t, -t, c) of (1, -t, c), and keys (i, i, c'): of -(t - i) nothing is left.
  const std::int64_t N = 30;
  CHECK_THAT(cells::run(repeated_cell("index", N)).scalar("distance_error"), check::WithinAbs((N - 1.0) / N, 1e-12));
  // Over N - 1 it makes (1 + (t-1) / (N-1)) i - t (1 + (i-1) / (N-1)) = -(t - i) (1 - 1 / (N-1)).
  CHECK_THAT(cells::run(repeated_cell("normalised-index", N)).scalar("distance_error"),
             check::WithinAbs(1.0 / N, 1e-12));
  // In every channel the index keeps them: t (2i - 1) - (2t - 1) i = i - t.
  cells::Cell everywhere = repeated_cell("index", N);
  everywhere.parameters = {{"broadcast", Value(true)}};
  CHECK(cells::run(everywhere).scalar("distance_error") <= 1e-12);
}

TEST_CASE("repeated-token: the spread of rows") {
  base::Array<double> rows{3, 2};
  CHECK(spread_of_rows(rows) == 0);
  rows(0, 0) = 3, rows(1, 0) = 3, rows(2, 1) = 3;
  CHECK_THAT(spread_of_rows(rows), check::WithinRel(std::sqrt(2.0), 1e-15));
}

TEST_CASE("repeated-token: narrow models, and what is refused") {
  const cells::Answer narrow = cells::run(repeated_cell("none", 5, {1}, {2, 2, 5}));
  CHECK_FALSE(narrow.has("count_error"));     // 3 channels are needed
  CHECK_FALSE(narrow.has("distance_error"));  // heads of 2, too
  CHECK_FALSE(cells::run(repeated_cell("none", 5, {1}, {2, 1, 5})).has("distance_error"));
  CHECK_THAT(cells::run(repeated_cell("none", 5, {1.5})).skip, check::contains("1.5"));
  CHECK_THAT(cells::run(repeated_cell("none", 5, {})).skip, check::contains("empty"));
  cells::Cell table = repeated_cell("learned", 30);
  table.parameters = {{"max_length", Value(std::int64_t{20})}};
  CHECK_THAT(cells::run(table).skip, check::contains("position 29"));
}

TEST_CASE("repeated-token: the same bits on 1, 2 and 8 threads") {
  cells::check_same_bits(repeated_cell("sinusoidal", 200));
}
