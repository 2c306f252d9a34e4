// SPDX-License-Identifier: Apache-2.0
// Decodability against published numbers, known answers, and plain loops over the definition in long double.
// Dimension letters: N positions, D model width, P pairs, R rows of a fit.
#include <cmath>

#include "catch.hpp"
#include "cells.hpp"
#include "folds.hpp"
#include "naive_probes.hpp"
#include "pairs.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/data/refusal.hpp"
#include "same_bits.hpp"
#include "thousand.hpp"

namespace {

using namespace poslab;
using cells::Answer;
using cells::Cell;
using cells::Index;
using data::Value;

using cells::whole;

// A table of independent normal numbers, [N, D], as `learned` draws it.
Cell gaussian_cell(Index N, Index D, Index pairs, Index folds, int repeat = 0) {
  return {"decodability",
          "learned",
          {{"length", whole(N)}, {"pairs", whole(pairs)}, {"folds", whole(folds)}},
          {{"init_std", Value(1.0)}},
          {D, 1, N},
          repeat};
}

naive::Table drawn_table(const Cell& cell) {
  const host::Scheme scheme(cells::plugin(cell.scheme), cell.parameters, cell.model);
  const data::Draws draws(20261121, cell.experiment, cell.scheme, cell.repeat);
  const host::Weights<double> weights = scheme.draw_weights(draws);
  const base::Array<double>& array = weights.arrays()[0][0];
  naive::Table table;
  for (Index n = 0; n < array.extent(0); ++n) {
    table.emplace_back();
    for (Index k = 0; k < array.extent(1); ++k) table.back().push_back(array(n, k));
  }
  return table;
}

Answer sinusoid(Index D, int repeat = 0) {
  return cells::run({"decodability", "sinusoidal", {}, {}, {D, 1, 512}, repeat});
}

// `learned` with a table that the user gives.
data::Record run_given(const Cell& cell, std::vector<double> table) {
  const experiments::Experiment& experiment = experiments::find_experiment(cell.experiment);
  const data::Values axes = cells::all_axes(cell);
  const host::Scheme scheme(cells::plugin(cell.scheme), cell.parameters, cell.model);
  const data::GivenWeights given{"given",
                                 {{"table", {cell.model.train_length, cell.model.model_width}, std::move(table)}}};
  return experiment.run({scheme, axes, data::Draws(20261121, cell.experiment, cell.scheme, cell.repeat), cell.placement,
                         experiments::unwatched(), experiments::no_files(), &given});
}

}  // namespace

TEST_CASE("decodability: Wang and Chen's sinusoid, 512 x 768, every position is read, order is mistaken in 3 to 9 %") {
  const Answer answer = sinusoid(768);
  CHECK(answer.scalar("position_error") == 0);
  CHECK(answer.scalar("position_residual") < 1e-2);
  CHECK(answer.scalar("order_error") > 0.03);
  CHECK(answer.scalar("order_error") < 0.09);
}

TEST_CASE("decodability of the sinusoid by width: 128.5 (chance) of 2 channels, 45.2 of 4, 0 from 8 on") {
  double of_two = 0, of_four = 0;
  for (int repeat = 0; repeat < 10; ++repeat) {
    of_two += sinusoid(2, repeat).scalar("position_error") / 10;
    of_four += sinusoid(4, repeat).scalar("position_error") / 10;
    CHECK(sinusoid(8, repeat).scalar("position_error") == 0);
  }
  CHECK(std::abs(of_two - 128.5) < 1);
  CHECK(std::abs(of_four - 45.2) < 1);
  CHECK(sinusoid(8).scalar("rank") == 8);
}

TEST_CASE("decodability of no code is chance: the mean position, the commoner order") {
  for (const std::int64_t N : {5, 6, 64, 512}) {
    const Answer answer = cells::run({"decodability", "none", {{"length", whole(N)}}});
    CAPTURE(N);
    CHECK(answer.scalar("position_error") == answer.scalar("position_error_chance"));
    CHECK(answer.scalar("order_error") == answer.scalar("order_error_chance"));
    CHECK(answer.scalar("rank") == 0);
  }
  const Answer answer = cells::run({"decodability", "none"});
  CHECK(std::abs(answer.scalar("position_error") - 128) < 2);
  CHECK(std::abs(answer.scalar("order_error") - 0.5) < 0.05);
}

TEST_CASE("decodability of the index: one direction tells everything, wherever positions begin") {
  Cell cell{"decodability", "index", {{"length", whole(100)}}, {{"broadcast", Value(true)}}, {16, 2, 600}};
  for (const std::int64_t by : {0, 500}) {
    cell.placement = {};
    if (by) cell.placement.policy = data::Placement::Policy::shifted, cell.placement.by = by;
    const Answer answer = cells::run(cell);
    CHECK(answer.scalar("position_error") == 0);
    CHECK(answer.scalar("position_residual") < 1e-9);
    CHECK(answer.scalar("rank") == 1);
    CHECK(answer.scalar("order_error") < 0.1);  // only n > m or not, from n - m
  }
}

TEST_CASE("decodability of a random table is worse than chance: interpolation of what has no order") {
  double error = 0;
  for (int repeat = 0; repeat < 4; ++repeat)
    error += cells::run(gaussian_cell(512, 768, 512, 5, repeat)).scalar("position_error") / 4;
  CHECK(std::abs(error - 174) < 15);  // 3 standard errors of four repeats; chance is 128
}

TEST_CASE("decodability by plain loops in long double, 1000 small cases") {
  int cases = 0;
  for (int c = 0; cases < check::thousand; ++c) {
    const Index N = 4 + c % 9, D = 1 + c / 9 % 5, folds = 2 + c % 3, pairs = 8 + c % 13;
    const Cell cell = gaussian_cell(N, D, pairs, folds, c);
    Answer answer;
    try {
      answer = cells::run(cell);
    } catch (const data::Refused& refused) {
      CHECK_THAT(std::string(refused.what()), check::contains("pairs that fold"));
      continue;
    }
    ++cases;
    const data::Draws draws(20261121, "decodability", "learned", c);
    const naive::Probes wanted = naive::probes(drawn_table(cell), draws, std::min(pairs, N * N), folds);
    CAPTURE(c, N, D, folds, pairs);
    REQUIRE(answer.scalar("position_error") == check::Approx(wanted.position_error).epsilon(1e-12));
    REQUIRE(answer.scalar("position_error_chance") == check::Approx(wanted.position_error_chance).epsilon(1e-12));
    REQUIRE(answer.scalar("position_residual") == check::Approx(wanted.position_residual).epsilon(1e-6));
    REQUIRE(answer.scalar("order_error") == check::Approx(wanted.order_error).epsilon(1e-12).margin(1e-15));
    REQUIRE(answer.scalar("order_error_chance") == check::Approx(wanted.order_error_chance).epsilon(1e-12));
  }
}

TEST_CASE("decodability: folds are those of scikit-learn") {
  using experiments::decodability::Fold;
  const auto fold_of_row = [](const std::vector<Fold>& folds, std::size_t rows) {
    std::vector<int> out(rows, -1);
    for (std::size_t f = 0; f < folds.size(); ++f) {
      CHECK(folds[f].fitted.size() + folds[f].held_out.size() == rows);
      for (const Index row : folds[f].held_out) out[static_cast<std::size_t>(row)] = static_cast<int>(f);
    }
    return out;
  };
  CHECK(fold_of_row(experiments::decodability::contiguous_folds(8, 3), 8) == std::vector<int>{0, 0, 0, 1, 1, 1, 2, 2});
  const auto stratified = [&](const std::vector<std::uint8_t>& labels, Index folds) {
    return fold_of_row(experiments::decodability::stratified_folds(labels, folds), labels.size());
  };
  CHECK(stratified({0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0}, 3) == std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2});
  CHECK(stratified({1, 0, 0, 0, 1, 0, 0, 1, 0}, 4) == std::vector<int>{0, 0, 0, 1, 1, 2, 3, 2, 3});
}

TEST_CASE("decodability: pairs are drawn without replacement, from all N^2") {
  const data::Draws draws(1, "decodability", "none", 0);
  auto pairs = experiments::decodability::pairs_of(draws, 7, 49);
  std::sort(pairs.begin(), pairs.end());
  for (Index i = 0; i < 49; ++i) CHECK(pairs[static_cast<std::size_t>(i)] == std::pair<Index, Index>{i / 7, i % 7});
}

TEST_CASE("decodability of a table that the user gives") {
  const Index N = 40, D = 3;
  const Cell cell = gaussian_cell(N, D, 100, 5);
  std::vector<double> table;
  for (Index n = 0; n < N; ++n)
    for (Index k = 0; k < D; ++k) table.push_back(k == 1 ? 7 - 0.25 * static_cast<double>(n) : 0.5);
  CHECK(run_given(cell, table).measurement("position_error")->values[0] == 0);
  std::fill(table.begin(), table.end(), 0.5);
  CHECK_THROWS_AS(run_given(cell, table), data::Refused);
  CHECK_THROWS_WITH(run_given(cell, table),
                    check::contains("all 40 codes") && check::contains("same 3 numbers") && check::contains("0.5"));
}

TEST_CASE("decodability of a table beyond all numbers fails with a sentence, not with a number") {
  Cell cell = gaussian_cell(20, 3, 100, 5);
  cell.parameters.set("init_std", Value(1e200));
  CHECK_THROWS_AS(cells::run(cell), base::Error);
}

TEST_CASE("decodability refuses fewer rows or pairs than folds, and pairs of one kind") {
  const auto skip = [](Index N, Index pairs, Index folds) {
    return cells::run(gaussian_cell(N, 4, pairs, folds)).skip;
  };
  CHECK_THAT(skip(1, 512, 5), check::contains("5 folds") && check::contains("the length is 1"));
  CHECK_THAT(skip(2, 512, 5), check::contains("the length is 2"));
  CHECK_THAT(skip(4, 512, 5), check::contains("the length is 4"));
  CHECK(skip(5, 512, 5).empty());
  CHECK_THAT(skip(100, 3, 5), check::contains("5 folds") && check::contains("there are 3"));
  CHECK_THROWS_AS(cells::run(gaussian_cell(2, 4, 512, 2)), data::Refused);  // one of the four pairs is later
  CHECK_THROWS_WITH(cells::run(gaussian_cell(2, 4, 512, 2)),
                    check::contains("0 of the 2 pairs") && check::contains("4 pairs"));
}

TEST_CASE("decodability skips what adds no code, and positions beyond a table") {
  for (const std::string scheme : {"rope", "alibi", "t5", "shaw"})
    CHECK_THAT(cells::run({"decodability", scheme}).skip, check::contains("adds no code"));
  CHECK_THAT(cells::run({"decodability", "learned", {{"length", whole(65)}}, {}, {16, 2, 64}}).skip,
             check::contains("position 64"));
}

TEST_CASE("decodability: the same bits on 1, 2 and 8 threads") {
  cells::check_same_bits(gaussian_cell(96, 128, 128, 5));
}
