// SPDX-License-Identifier: Apache-2.0
// Survival of positions: the probe against normal equations by plain elimination, chance, and the signs of KA7.
#include <cmath>

#include "answers.hpp"
#include "catch.hpp"
#include "cells.hpp"
#include "probe.hpp"
#include "same_bits.hpp"
#include "thousand.hpp"

#include "poslab/base/random.hpp"

using namespace poslab;
using namespace poslab::experiments::survival;
using data::Value;

namespace {

cells::Cell survival_cell(const std::string& scheme, const std::string& mask, std::int64_t length = 32) {
  return {"survival",
          scheme,
          {{"length", Value(length)},
           {"mask", Value(mask)},
           {"sequences", Value(std::int64_t{90})},
           {"held_out", Value(std::int64_t{30})}},
          {},
          {32, 4, length}};
}

// By the definition: standardise, normal equations with a column of ones, Gauss with pivots.
Found naive_probe(const base::Array<double>& stream, Index fitted, double penalty) {
  const Index B = stream.extent(0), T = stream.extent(1), D = stream.extent(2);
  const auto cell = [&](Index r, Index c) { return stream(r / T, r % T, c); };
  std::vector<double> mean, deviation;
  for (Index c = 0; c < D; ++c) {
    double sum = 0, squares = 0;
    for (Index r = 0; r < fitted * T; ++r) sum += cell(r, c) / static_cast<double>(fitted * T);
    for (Index r = 0; r < fitted * T; ++r) squares += std::pow(cell(r, c) - sum, 2) / static_cast<double>(fitted * T);
    mean.push_back(sum);
    deviation.push_back(std::sqrt(squares));
  }
  const auto feature = [&](Index r, Index c) {
    if (c == D) return 1.0;
    const auto at = static_cast<std::size_t>(c);
    return deviation[at] > 1e-9 * std::abs(mean[at]) && deviation[at] > 0 ? (cell(r, c) - mean[at]) / deviation[at]
                                                                          : 0.0;
  };
  const auto n = static_cast<std::size_t>(D + 1);
  std::vector<std::vector<double>> A(n, std::vector<double>(n + 1, 0.0));
  for (Index r = 0; r < fitted * T; ++r)
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j)
        A[i][j] += feature(r, static_cast<Index>(i)) * feature(r, static_cast<Index>(j));
      A[i][n] += feature(r, static_cast<Index>(i)) * static_cast<double>(r % T);
    }
  for (std::size_t i = 0; i + 1 < n; ++i) A[i][i] += penalty;
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t k = i; k < n; ++k)
      if (std::abs(A[k][i]) > std::abs(A[pivot][i])) pivot = k;
    std::swap(A[i], A[pivot]);
    for (std::size_t k = 0; k < n; ++k) {
      const double factor = A[k][i] / A[i][i];
      for (std::size_t j = i; k != i && j <= n; ++j) A[k][j] -= factor * A[i][j];
    }
  }
  double missed = 0, all = 0, off = 0, fitted_missed = 0, fitted_all = 0;
  const Index judged = (B - fitted) * T;
  for (Index r = 0; r < B * T; ++r) {
    double said = 0;
    for (std::size_t i = 0; i < n; ++i) said += A[i][n] / A[i][i] * feature(r, static_cast<Index>(i));
    const double place = static_cast<double>(r % T), from_middle = place - static_cast<double>(T - 1) / 2;
    const bool is_judged = r >= fitted * T;
    (is_judged ? missed : fitted_missed) += (said - place) * (said - place);
    (is_judged ? all : fitted_all) += from_middle * from_middle;
    if (is_judged) off += std::abs(said - place) / static_cast<double>(judged);
  }
  return {1 - missed / all, off, 1 - fitted_missed / fitted_all};
}

}  // namespace

TEST_CASE("survival: the probe is ridge regression by plain elimination, in 1000 small cases") {
  const base::Stream draw("probes");
  for (std::uint64_t i = 0; i < check::thousand; ++i) {
    const auto below = [&](std::uint64_t which, std::uint64_t n) {
      return static_cast<Index>(draw.below(8 * i + which, n));
    };
    const Index fitted = 1 + below(0, 4), B = fitted + 1 + below(1, 3), T = 2 + below(2, 4), D = 1 + below(3, 5);
    const double penalty = std::pow(10, static_cast<double>(below(4, 5)) - 2);
    base::Array<double> stream{B, T, D};
    const base::Stream numbers("numbers of probe " + std::to_string(i));
    for (Index r = 0; r < stream.size(); ++r)
      stream.data()[r] = numbers.normal(static_cast<std::uint64_t>(r)) + 0.3 * static_cast<double>(r / D % T);
    if (below(5, 4) == 0)
      for (Index r = 0; r < B * T; ++r) stream.data()[r * D] = 2.5;  // a channel that says nothing
    CAPTURE(i, fitted, B, T, D, penalty);
    const Found fast = probe_places(stream, fitted, penalty, 1e-9), slow = naive_probe(stream, fitted, penalty);
    REQUIRE_THAT(fast.r2, check::WithinAbs(slow.r2, 1e-9 * (1 + std::abs(slow.r2))));
    REQUIRE_THAT(fast.mean_absolute_error,
                 check::WithinAbs(slow.mean_absolute_error, 1e-9 * (1 + slow.mean_absolute_error)));
    REQUIRE_THAT(fast.fitted_r2, check::WithinAbs(slow.fitted_r2, 1e-9 * (1 + std::abs(slow.fitted_r2))));
  }
}

TEST_CASE("survival: chance is a quarter of the length, and what is constant tells nothing") {
  CHECK(error_of_chance(64) == 16);
  for (Index T = 1; T < 40; ++T) {
    double sum = 0;
    for (Index p = 0; p < T; ++p) sum += std::abs(static_cast<double>(p) - static_cast<double>(T - 1) / 2);
    CHECK_THAT(error_of_chance(T), check::WithinAbs(sum / static_cast<double>(T), 1e-13));
  }
  base::Array<double> constant{3, 4, 2};
  constant.fill(7);
  const Found nothing = probe_places(constant, 2, 1, 1e-9);
  CHECK(nothing.r2 == 0);
  CHECK(nothing.mean_absolute_error == 1);
  // Places that a channel says outright: no error as the penalty goes.
  for (Index r = 0; r < 12; ++r) constant.data()[2 * r] = 5 + 3 * static_cast<double>(r % 4);
  CHECK_THAT(probe_places(constant, 2, 1e-9, 1e-9).r2, check::WithinAbs(1, 1e-12));
  // One symbol, no mask, no positions: all tokens are the same at every depth, but for rounding.
  cells::Cell one = survival_cell("none", "none", 9);
  one.axes.set("symbols", Value(std::int64_t{1}));
  const cells::Answer same = cells::run(one);
  for (const double r2 : same.curve("r2")) CHECK(std::abs(r2) < 1e-12);
}

TEST_CASE("survival: the mask alone tells places, more with every layer, without it nothing does") {
  std::vector<double> causal(5, 0.0);
  for (int repeat = 0; repeat < 3; ++repeat) {
    cells::Cell cell = survival_cell("none", "none");
    cell.repeat = repeat;
    const cells::Answer blind = cells::run(cell);
    for (const double r2 : blind.curve("r2")) CHECK(std::abs(r2) < 0.03);
    cell.axes.set("mask", Value("causal"));
    const cells::Answer masked = cells::run(cell);
    CHECK(masked.curve("r2")[0] == blind.curve("r2")[0]);
    for (std::size_t t = 0; t < 5; ++t) causal[t] += masked.curve("r2")[t] / 3;
  }
  CHECK(causal[4] > 0.05);
  CHECK(causal[1] > 0.01);
  CHECK(causal[4] > causal[1]);
  cells::Cell protocol{"survival", "sinusoidal"};
  protocol.model = {64, 4, 64};
  const cells::Answer sinusoid = cells::run(protocol);
  CHECK(sinusoid.curve("r2")[0] > 0.99);
  CHECK(sinusoid.curve("r2")[4] < sinusoid.curve("r2")[0]);
  CHECK(sinusoid.curve("r2")[4] > 0.7);
  CHECK(sinusoid.scalar("chance_error") == 16);
  CHECK(sinusoid.scalar("chance_r2") == 0);
}

TEST_CASE("survival: what cannot be asked is refused with its numbers, two tokens are enough") {
  CHECK_THAT(cells::run(survival_cell("none", "causal", 1)).skip, check::contains("1 token has one place"));
  CHECK_THAT(cells::run(survival_cell("alibi", "none")).skip, check::contains("alibi"));
  cells::Cell cell = survival_cell("none", "causal");
  cell.axes.set("depth", Value(std::vector<double>{0.5}));
  CHECK_THAT(cells::run(cell).skip, check::contains("0.5"));
  cell.axes.set("depth", Value(std::vector<double>{}));
  CHECK_THAT(cells::run(cell).skip, check::contains("empty"));
  const cells::Answer two = cells::run(survival_cell("sinusoidal", "causal", 2));
  CHECK(two.scalar("chance_error") == 0.5);
  for (const double r2 : two.curve("r2")) CHECK(std::isfinite(r2));
}

namespace {

// The answer to repeats with this r2 at depth 4, on held-out tokens and on those that the probe was fitted on.
data::Answer answer_to_shares(const std::vector<double>& of_repeats, const std::vector<double>& fitted,
                              double penalty = 1) {
  std::vector<data::Record> records;
  for (std::size_t r = 0; r < of_repeats.size(); ++r) {
    data::Record record;
    record.coordinate("depth", {0, 4});
    record.curve("r2", {"depth"}, {1, of_repeats[r]});
    record.curve("fitted_r2", {"depth"}, {1, fitted[r]});
    record.curve("mean_absolute_error", {"depth"}, {0, 3});
    record.scalar("chance_error", 8);
    records.push_back(std::move(record));
  }
  cells::Cell cell = survival_cell("none", "causal");
  cell.axes.set("penalty", Value(penalty));
  return cells::answer_to(cell, records);
}

}  // namespace

TEST_CASE("survival answers with the share of the deepest layer, as far as its repeats tell") {
  const auto answered = [](const std::vector<double>& of_repeats) { return answer_to_shares(of_repeats, of_repeats); };
  CHECK(answered({0.8, 0.8, 0.8}).mark == data::Mark::yes);
  CHECK(numbers_text(answered({0.8, 0.8, 0.8})) == "0.8");
  CHECK_THAT(answered({0.8, 0.8, 0.8}).sentence,
             check::contains("after 4 layers") && check::contains("3 off, where chance is 8 (32 tokens, causal"));
  CHECK(answered({0.3, 0.31, 0.29}).mark == data::Mark::partly);
  CHECK(answered({0.001, 0.002, -0.001}).mark == data::Mark::no);
  CHECK(answered({0.019, 0.0191, 0.0192}).mark == data::Mark::no);
  // Seen without positions, where few tokens were held out.
  CHECK(answered({0.151, 0.015, -0.057}).mark == data::Mark::cannot_tell);
  CHECK_THAT(answered({-0.03, -0.12, 0.48}).sentence, check::contains("cannot tell whether that is more than 0.02"));
  CHECK(answered({0.8}).mark == data::Mark::cannot_tell);
  CHECK(answered({0.001}).mark == data::Mark::cannot_tell);
  CHECK_THAT(answered({0.001}).sentence, check::contains("one repeat has no error"));
  // An error that reaches above 0.02, and one across one half.
  CHECK(answered({-0.02, 0.01, 0.02}).mark == data::Mark::cannot_tell);
  CHECK(answered({0.45, 0.55, 0.65}).mark == data::Mark::cannot_tell);
  CHECK_THAT(answered({0.45, 0.55, 0.65}).sentence, check::contains("cannot tell whether that is more than 0.5"));
}

TEST_CASE("survival: a probe that learnt chance says neither that nothing survives nor how much at most") {
  const data::Answer overfitted = answer_to_shares({-0.9, -1, -1.1}, {0.4, 0.41, 0.42});
  CHECK(overfitted.mark == data::Mark::cannot_tell);
  CHECK_THAT(overfitted.sentence, check::contains("R2 is 0.410 ± 0.006 on the sequences that it was fitted on") &&
                                      check::contains("may read more than 0.02"));
  CHECK(answer_to_shares({0, 0.001, -0.001}, {0.1, 0.1, 0.1}).mark == data::Mark::cannot_tell);
  CHECK(answer_to_shares({0.3, 0.31, 0.29}, {0.6, 0.61, 0.59}).mark == data::Mark::cannot_tell);
  CHECK_THAT(answer_to_shares({0.3, 0.31, 0.29}, {0.6, 0.61, 0.59}).sentence, check::contains("read more than 0.5"));
  // Too few repeats are no overfitting.
  CHECK_THAT(answer_to_shares({0.22, 0.25}, {0.26, 0.32}).sentence,
             check::contains("these repeats cannot tell whether"));
  CHECK(answer_to_shares({0.7, 0.71, 0.69}, {0.9, 0.91, 0.89}).mark == data::Mark::yes);
  // The cell has 90 * 32 rows, of which 0.02 are 57.6.
  CHECK(answer_to_shares({0, 0, 0}, {0, 0, 0}, 57).mark == data::Mark::no);
  CHECK(answer_to_shares({0, 0, 0}, {0, 0, 0}, 58).mark == data::Mark::cannot_tell);
  CHECK_THAT(answer_to_shares({0, 0, 0}, {0, 0, 0}, 58).sentence, check::contains("its penalty is so large"));
  CHECK(answer_to_shares({0.3, 0.31, 0.29}, {0.3, 0.31, 0.29}, 58).mark == data::Mark::cannot_tell);
  // Measured: what 90 sequences read in part four cannot tell, though the layers are the same.
  cells::Cell cell = survival_cell("alibi", "causal");
  cell.axes.set("sequences", Value(std::int64_t{4}));
  CHECK(cells::answer_of(cell, 10).mark == data::Mark::cannot_tell);
  CHECK(cells::answer_of(survival_cell("alibi", "causal"), 10).mark == data::Mark::partly);
  CHECK(cells::answer_of(survival_cell("none", "none"), 3).mark == data::Mark::no);
}

TEST_CASE("survival: float32 is near, and the bits do not hang on threads") {
  cells::Cell cell = survival_cell("rope", "causal", 20);
  const cells::Answer in_double = cells::run(cell);
  cell.axes.set("dtype", Value("float32"));
  const cells::Answer in_float = cells::run(cell);
  for (std::size_t t = 0; t < 5; ++t)
    CHECK_THAT(in_float.curve("r2")[t], check::WithinAbs(in_double.curve("r2")[t], 1e-3));
  cells::check_same_bits(survival_cell("rope", "causal", 20));
}
