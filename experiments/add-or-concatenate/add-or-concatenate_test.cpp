// SPDX-License-Identifier: Apache-2.0
// Add or concatenate: the identity, what can be recovered by rank, costs, and plain loops over the definition.
// Dimension letters: S sequences, N tokens of one, V vocabulary, D model width, H heads, K head width.
#include <cmath>

#include "catch.hpp"
#include "cells.hpp"
#include "naive_mixture.hpp"
#include "thousand.hpp"

namespace {

using namespace poslab;
using cells::Answer;
using cells::Cell;
using cells::Index;
using data::Value;

using cells::whole;

Cell random_table(Index N, Index D, Index V, Index S, Index H = 1, int repeat = 0) {
  return {
      "add-or-concatenate",       "learned", {{"length", whole(N)}, {"vocabulary", whole(V)}, {"sequences", whole(S)}},
      {{"init_std", Value(1.0)}}, {D, H, N}, repeat};
}

}  // namespace

TEST_CASE("add or concatenate: (x + p) W = [x, p] [W, W], to rounding") {
  for (const std::string scheme : {"sinusoidal", "learned", "index", "none", "binary"})
    for (const std::string dtype : {"float64", "float32"}) {
      CAPTURE(scheme, dtype);
      const Answer answer = cells::run({"add-or-concatenate", scheme, {{"dtype", Value(dtype)}}, {}, {64, 4, 128}});
      CHECK(answer.scalar("identity_error") <= (dtype == "float64" ? 1e-14 : 1e-6));
      CHECK((scheme == "none" || answer.scalar("identity_error") > 0));  // two sums of different length
    }
}

TEST_CASE("add or concatenate: a sum of few directions is read exactly, one of more than D is not") {
  // V - 1 + N - 1 directions of tokens and rows: 31 + 63 fit into 128, 31 + 119 do not; beside each other both fit.
  const Answer few = cells::run(random_table(64, 128, 32, 32)), many = cells::run(random_table(120, 128, 32, 32));
  for (const std::string way : {"sum", "concatenated", "projected"}) {
    CAPTURE(way);
    CHECK(few.scalar("position_error_" + way) == 0);
    CHECK(few.scalar("token_error_" + way) == 0);
  }
  CHECK(many.scalar("position_error_concatenated") == 0);
  CHECK(many.scalar("token_error_concatenated") == 0);
  for (const std::string way : {"sum", "projected"}) {
    CHECK(many.scalar("position_error_" + way) > 1);
    CHECK(many.scalar("position_error_" + way) < many.scalar("position_error_chance"));
  }
}

TEST_CASE("add or concatenate without positions: tokens are read, positions are chance, logits are contents") {
  for (const std::int64_t N : {1, 2, 128}) {
    const Answer answer = cells::run({"add-or-concatenate", "none", {{"length", whole(N)}}, {}, {64, 4, 128}});
    CAPTURE(N);
    if (N == 1) CHECK(answer.scalar("position_error_sum") == 0);  // there is but one
    if (N == 128) {
      CHECK(answer.scalar("position_error_chance") == 32);
      CHECK(std::abs(answer.scalar("position_error_sum") - 32) < 3);
      CHECK(answer.scalar("token_error_sum") == 0);
    }
    for (const std::string way : {"sum", "projected"}) {
      CHECK(answer.scalar("share_content_" + way) == (N == 1 ? 0 : 1));  // one key varies in nothing
      for (const std::string term : {"content_position", "position_content", "position"})
        CHECK(answer.scalar("share_" + term + "_" + way) == 0);
    }
    CHECK(answer.scalar("parameters_sum") == 0);
  }
}

TEST_CASE("add or concatenate: costs in closed form") {
  Cell cell = random_table(20, 8, 5, 4, 2);
  Answer answer = cells::run(cell);
  CHECK(answer.scalar("parameters_sum") == 20 * 8);
  CHECK(answer.scalar("parameters_projected") == 20 * 8 + 2 * 8 * 8);
  CHECK(answer.scalar("bytes_sum") == 8 * 20 * 8);
  CHECK(answer.scalar("bytes_projected") == 8 * (20 * 8 + 2 * 8 * 8));
  CHECK(answer.scalar("operations_sum") == 8);
  CHECK(answer.scalar("operations_projected") == 4 * 8 * 8 - 8);  // 16 products and 15 additions for each of 8 numbers
  cell.axes.set("dtype", Value("float32"));
  CHECK(cells::run(cell).scalar("bytes_sum") == 4 * 20 * 8);
}

TEST_CASE("add or concatenate: shares of equal parts are a quarter each, and those of two matrices the same") {
  // Codes and embeddings of the same size in all directions: no term has more variance than another.
  const Answer answer = cells::run(random_table(128, 64, 4096, 8, 4));
  for (const std::string way : {"sum", "projected"})
    for (const std::string term : {"content", "content_position", "position_content", "position"})
      CHECK(std::abs(answer.scalar("share_" + term + "_" + way) - 0.25) < 0.02);
}

TEST_CASE("add or concatenate by plain loops in long double, 1000 small cases") {
  for (int c = 0; c < check::thousand; ++c) {
    const Index N = 1 + c % 6, H = 1 + c % 2, D = 2 * H, V = 1 + c / 6 % 7, S = 2 + c % 5;
    const Cell cell = random_table(N, D, V, S, H, c);
    const Answer answer = cells::run(cell);
    const host::Scheme scheme(cells::plugin(cell.scheme), cell.parameters, cell.model);
    const data::Draws draws(20261121, cell.experiment, cell.scheme, c);
    const host::Weights<double> weights = scheme.draw_weights(draws);
    const naive::Mixture wanted(draws, weights.arrays()[0][0], {N, D, V, S, H});
    CAPTURE(c, N, D, V, S, H);
    for (const std::string way : {"sum", "concatenated", "projected"}) {
      CAPTURE(way);
      const naive::Wrong wrong = wanted.recovered(way);
      REQUIRE(answer.scalar("position_error_" + way) == check::Approx(wrong.position).epsilon(1e-12).margin(1e-12));
      REQUIRE(answer.scalar("token_error_" + way) == check::Approx(wrong.token).epsilon(1e-12).margin(1e-12));
    }
    for (const std::string way : {"sum", "projected"}) {
      const std::vector<double> shares = wanted.shares(way == "projected");
      std::size_t term = 0;
      for (const std::string name : {"content", "content_position", "position_content", "position"})
        REQUIRE(answer.scalar("share_" + name + "_" + way) ==
                check::Approx(shares[term++]).epsilon(1e-10).margin(1e-12));
    }
  }
}

TEST_CASE("add or concatenate of a table beyond all numbers fails with a sentence, not with a number") {
  Cell cell = random_table(8, 4, 3, 4);
  cell.parameters.set("init_std", Value(1e200));
  CHECK_THROWS_AS(cells::run(cell), base::Error);
}

TEST_CASE("add or concatenate skips what adds no code, and positions beyond a table") {
  for (const std::string scheme : {"rope", "alibi", "t5"})
    CHECK_THAT(cells::run({"add-or-concatenate", scheme}).skip, check::contains("adds no code"));
  CHECK_THAT(cells::run({"add-or-concatenate", "learned", {{"length", whole(65)}}, {}, {16, 2, 64}}).skip,
             check::contains("position 64"));
}
