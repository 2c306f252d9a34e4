// SPDX-License-Identifier: Apache-2.0
// Effective dimension against closed forms, and against plain loops over its definition.
// Dimension letters: N positions, D model width, J planes, W width of a code.
#include <cmath>
#include <random>

#include "answers.hpp"
#include "catch.hpp"
#include "cells.hpp"
#include "poslab/numerics/decompositions.hpp"
#include "same_bits.hpp"
#include "shipped.hpp"
#include "spectrum.hpp"
#include "thousand.hpp"

namespace {

using cells::Answer;
using cells::Cell;
using cells::Index;
using poslab::base::Array;
using poslab::base::View;
using poslab::data::Mark;
using poslab::data::Value;
using namespace poslab::experiments::effective_dimension;

Cell cell(const std::string& scheme, std::int64_t N, Index D = 64, Index H = 1) {
  return {"effective-dimension", scheme, {{"length", Value(N)}}, {}, {D, H, N}};
}

// (sin(N x / 2) / sin(x / 2))^2 = sum over |r| < N of (N - |r|) cos(r x): Fejer's kernel.
double fejer(double N, double x) {
  const double below = std::sin(x / 2);
  if (std::abs(below) < 1e-300) return N * N;
  return std::pow(std::sin(N * x / 2) / below, 2);
}

// 2 N^2 J^2 / sum_kl [F(w_k - w_l) + F(w_k + w_l)], of the sinusoid with J = D / 2 frequencies.
double of_sinusoid(double N, Index D) {
  const Index J = D / 2;
  double sum = 0;
  for (Index k = 0; k < J; ++k)
    for (Index l = 0; l < J; ++l) {
      const double a = std::pow(1e4, -2 * static_cast<double>(k) / static_cast<double>(D)),
                   b = std::pow(1e4, -2 * static_cast<double>(l) / static_cast<double>(D));
      sum += fejer(N, a - b) + fejer(N, a + b);
    }
  return 2 * N * N * static_cast<double>(J * J) / sum;
}

// (tr G)^2 / tr G^2 of the Gram matrix of rows, entry by entry.
double naive_participation(View<const double> rows) {
  const Index N = rows.shape[0], W = rows.shape[1];
  double trace = 0, squares = 0;
  for (Index m = 0; m < N; ++m)
    for (Index n = 0; n < N; ++n) {
      double product = 0;
      for (Index w = 0; w < W; ++w) product += rows(m, w) * rows(n, w);
      if (m == n) trace += product;
      squares += product * product;
    }
  return squares == 0 ? 0 : trace * trace / squares;
}

Array<double> naive_centred(View<const double> rows) {
  Array<double> out{rows.shape[0], rows.shape[1]};
  for (Index m = 0; m < rows.shape[0]; ++m)
    for (Index w = 0; w < rows.shape[1]; ++w) {
      double mean = 0;
      for (Index n = 0; n < rows.shape[0]; ++n) mean += rows(n, w);
      out(m, w) = rows(m, w) - mean / static_cast<double>(rows.shape[0]);
    }
  return out;
}

double sum(const std::vector<double>& values) {
  double all = 0;
  for (const double value : values) all += value;
  return all;
}

}  // namespace

TEST_CASE("effective-dimension of the sinusoid: Fejer's kernel of sums and differences of its frequencies") {
  for (const auto& [N, D] :
       {std::pair<std::int64_t, Index>{512, 128}, {256, 64}, {100, 16}, {33, 6}, {10, 2}, {2, 8}}) {
    CAPTURE(N, D);
    const Answer answer = cells::run(cell("sinusoidal", N, D));
    CHECK_THAT(answer.scalar("participation"), check::WithinRel(of_sinusoid(static_cast<double>(N), D), 1e-11));
    // <e(m), e(n)> is the position score of an additive scheme, so that its kernel is the Gram matrix.
    CHECK_THAT(answer.curve("kernel_participation")[0], check::WithinRel(answer.scalar("participation"), 1e-10));
    CHECK_THAT(sum(answer.curve("spectrum")), check::WithinAbs(1.0, 1e-12));
    CHECK_THAT(sum(answer.curve("kernel_spectrum")), check::WithinAbs(1.0, 1e-12));
  }
  // numpy: 5.308363260450568 and 22.397634340627256 of 128 channels at 512 positions.
  const Answer answer = cells::run(cell("sinusoidal", 512, 128));
  CHECK_THAT(answer.scalar("participation"), check::WithinRel(5.308363260450568, 1e-11));
  CHECK_THAT(answer.scalar("participation_centred"), check::WithinRel(22.397634340627256, 1e-9));
}

TEST_CASE("effective-dimension of a long sinusoid: all its channels") {
  // F(0) = N^2 of the differences of a frequency with itself outgrows the others, which stay: J N^2 of 2 N^2 J^2.
  CHECK_THAT(of_sinusoid(1e7, 8), check::WithinAbs(8.0, 1e-4));
  CHECK_THAT(cells::run(cell("sinusoidal", 2000, 2)).scalar("participation"), check::WithinAbs(2.0, 1e-4));
}

TEST_CASE("effective-dimension of RoPE's scores: that of the sinusoid of a head's width") {
  // <T_m 1, T_n 1> = 2 sum_k cos((m - n) w_k).
  const Answer answer = cells::run(cell("rope", 128, 64, 2));
  REQUIRE(answer.curve("kernel_participation").size() == 2);
  for (const double participation : answer.curve("kernel_participation"))
    CHECK_THAT(participation, check::WithinRel(of_sinusoid(128, 32), 1e-10));
}

TEST_CASE("effective-dimension of nothing: no directions, scores of one, none that a softmax sees") {
  const Answer answer = cells::run(cell("none", 40, 32, 4));
  CHECK(answer.scalar("participation") == 0);
  CHECK(answer.scalar("participation_centred") == 0);
  CHECK(answer.scalar("directions_99") == 0);
  for (const double share : answer.curve("spectrum")) CHECK(share == 0);
  for (const double one : answer.curve("kernel_participation")) CHECK_THAT(one, check::WithinAbs(1.0, 1e-10));
  for (const double none : answer.curve("kernel_participation_centred")) CHECK(none == 0);
}

TEST_CASE("effective-dimension of the index and of ALiBi: one line") {
  // p in every channel: one direction, and one less the mean; its scores D m n, less each row's mean, too.
  const Answer index = cells::run(cell("index", 50, 32)), alibi = cells::run(cell("alibi", 50, 32, 4));
  CHECK_THAT(index.scalar("participation"), check::WithinAbs(1.0, 1e-12));
  CHECK_THAT(index.scalar("participation_centred"), check::WithinAbs(1.0, 1e-9));
  CHECK(index.scalar("directions_99") == 1);
  CHECK_THAT(alibi.scalar("participation"), check::WithinAbs(1.0, 1e-12));
  CHECK_THAT(index.curve("kernel_participation")[0], check::WithinAbs(1.0, 1e-9));
  CHECK_THAT(index.curve("kernel_participation_centred")[0], check::WithinAbs(1.0, 1e-9));
  CHECK_FALSE(alibi.has("kernel_participation"));  // a causal mask hides half of them
}

TEST_CASE("effective-dimension: participation, directions and means by hand") {
  CHECK(participation({1, 1, 1, 0}) == 3);
  CHECK(participation({4}) == 1);
  CHECK(participation({0, 0}) == 0);
  CHECK(participation({3, 1}) == 1.6);
  CHECK(directions({5, 3, 1.9, 0.1}, 0.99) == 3);
  CHECK(directions({0, 0}, 0.99) == 0);
  CHECK(normalised({3, 1}) == std::vector<double>{0.75, 0.25});
  CHECK(normalised({0, 0}) == std::vector<double>{0, 0});
  Array<double> a{2, 2};
  a(0, 0) = 1, a(0, 1) = 3, a(1, 0) = 5, a(1, 1) = 7;
  CHECK(less_mean_of_columns(a)(0, 0) == -2);
  CHECK(less_mean_of_columns(a)(1, 1) == 2);
  CHECK(less_mean_of_rows(a)(0, 0) == -1);
  CHECK(less_mean_of_rows(a)(1, 1) == 1);
}

TEST_CASE("effective-dimension: 1000 random matrices by plain loops over their Gram matrix") {
  std::mt19937_64 random(31);
  std::normal_distribution<double> normal;
  for (int round = 0; round < check::thousand; ++round) {
    const Index N = 1 + static_cast<Index>(random() % 9), W = 1 + static_cast<Index>(random() % 9);
    CAPTURE(round, N, W);
    Array<double> rows{N, W};
    for (Index i = 0; i < rows.size(); ++i) rows.data()[i] = normal(random);
    const std::vector<double> eigenvalues = gram_eigenvalues(rows);
    REQUIRE(eigenvalues.size() == static_cast<std::size_t>(std::min(N, W)));
    REQUIRE(std::is_sorted(eigenvalues.rbegin(), eigenvalues.rend()));
    REQUIRE_THAT(participation(eigenvalues), check::WithinRel(naive_participation(rows), 1e-10));
    if (N == 1) continue;  // nothing is left of one row less its mean
    const Array<double> centred = less_mean_of_columns(rows), plain = naive_centred(rows);
    REQUIRE_THAT(participation(gram_eigenvalues(centred)), check::WithinRel(naive_participation(plain), 1e-9));
  }
}

TEST_CASE("effective-dimension: cells of small sinusoids by plain loops over their codes") {
  for (std::int64_t N = 2; N <= 12; ++N)
    for (const Index D : {2, 4, 10}) {
      CAPTURE(N, D);
      Array<double> rows{N, D};
      for (Index p = 0; p < N; ++p)
        for (Index c = 0; c < D; ++c) {
          const double at =
              static_cast<double>(p) * std::pow(1e4, -static_cast<double>(c - c % 2) / static_cast<double>(D));
          rows(p, c) = c % 2 ? std::cos(at) : std::sin(at);
        }
      const Answer answer = cells::run(cell("sinusoidal", N, D));
      CHECK_THAT(answer.scalar("participation"), check::WithinRel(naive_participation(rows), 1e-10));
      CHECK_THAT(answer.scalar("participation_centred"),
                 check::WithinRel(naive_participation(naive_centred(rows)), 1e-8));
    }
}

TEST_CASE("effective-dimension of one position and of two") {
  for (const std::string scheme : {"none", "sinusoidal", "rope", "alibi", "t5", "shaw"}) {
    CAPTURE(scheme);
    const Answer one = cells::run(cell(scheme, 1)), two = cells::run(cell(scheme, 2));
    CHECK(one.scalar("participation_centred") == 0);
    CHECK(one.has("kernel_participation") == (scheme != "alibi"));
    if (one.has("kernel_participation")) {
      CHECK(one.curve("kernel_participation")[0] == 1);
      CHECK(two.curve("kernel_participation")[0] <= 2 + 1e-12);
    }
    CHECK(std::isfinite(two.scalar("participation")));
  }
}

TEST_CASE("effective-dimension: every shipped scheme has one, or a sentence why not") {
  for (const std::string& id : shipped_schemes()) {
    CAPTURE(id);
    Cell here = cell(id, 36, 48, 2);
    Answer answer = cells::run(here);
    if (answer.skip.find("causal mask alone") != std::string::npos) continue;
    if (!answer.skip.empty()) {
      here.placement = cells::grid(id == "v-jepa-2" ? std::vector<Index>{3, 3, 4} : std::vector<Index>{6, 6});
      answer = cells::run(here);
    }
    if (!answer.skip.empty()) {
      CHECK_THAT(answer.skip, check::contains("-infinity"));
      continue;
    }
    if (answer.has("kernel_participation"))
      for (const double participation : answer.curve("kernel_participation")) CHECK(participation >= 1 - 1e-12);
    if (answer.has("participation")) CHECK(answer.scalar("participation") <= 36 + 1e-9);
  }
}

TEST_CASE("effective-dimension answers: a number, neither good nor bad, what looks at contents has no codes") {
  const auto sinusoid = cells::answer_of(cell("sinusoidal", 512, 128));
  CHECK(sinusoid.mark == Mark::none);
  CHECK(numbers_text(sinusoid) == "5.31");
  CHECK_THAT(sinusoid.sentence, check::contains("5.31 directions alike, 22.4 less their mean"));
  CHECK_THAT(cells::answer_of(cell("third-token", 16)).sentence, check::contains("depends on the contents"));
  CHECK_THAT(cells::run(cell("cope", 16)).skip, check::contains("serves a causal mask alone"));
}

TEST_CASE("effective-dimension: the same bits on 1, 2 and 8 threads") {
  cells::check_same_bits(cell("shaw", 60, 32, 4));
}
