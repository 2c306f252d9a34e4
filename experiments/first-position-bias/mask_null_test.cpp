// SPDX-License-Identifier: Apache-2.0
// What the causal mask alone does: closed forms, products of whole matrices, and cells without positions.
// Dimension letters: N positions.
#include <cmath>
#include <vector>

#include "catch.hpp"
#include "cells.hpp"
#include "first_position_bias_cells.hpp"
#include "mask_null.hpp"

using namespace poslab;
using namespace poslab::experiments::first_position_bias;
using namespace first_position_bias_cells;

namespace {

double harmonic(Index n, double power = 1) {
  return n == 0 ? 0 : harmonic(n - 1, power) + std::pow(static_cast<double>(n), -power);
}

}  // namespace

TEST_CASE("first-position-bias: what the mask alone does") {
  CHECK_THAT(even_sink_share(64), check::WithinAbs(harmonic(64) / 64, 1e-16));
  CHECK_THAT(even_sink_share(512), check::WithinAbs(0.0133135, 5e-8));
  const std::vector<double> share = even_context_share(64, 3);
  CHECK(share[0] == 0.015625);
  CHECK_THAT(share[1], check::WithinAbs(0.074123, 5e-7));
  CHECK_THAT(share[2], check::WithinAbs(0.188546, 5e-7));
  for (const Index N : {1, 2, 10, 64, 1000}) {
    const std::vector<double> closed = even_context_share(N, 3);
    const double n = static_cast<double>(N);
    CHECK_THAT(closed[0], check::WithinRel(1 / n, 1e-14));
    CHECK_THAT(closed[1], check::WithinRel(harmonic(N) / n, 1e-13));
    CHECK_THAT(closed[2], check::WithinRel((std::pow(harmonic(N), 2) + harmonic(N, 2)) / (2 * n), 1e-13));
  }
  // sum_m (-1)^m C(N-1, m) / (m+1)^t, where it still has digits.
  const std::vector<double> deep = even_context_share(10, 8);
  for (int t = 1; t <= 8; ++t) {
    double sum = 0, binomial = 1;
    for (int m = 0; m < 10; ++m) {
      sum += (m % 2 ? -1 : 1) * binomial / std::pow(m + 1, t);
      binomial = binomial * (9 - m) / (m + 1);
    }
    CHECK_THAT(deep[static_cast<std::size_t>(t - 1)], check::WithinAbs(sum, 1e-12));
  }
}

TEST_CASE("first-position-bias: the mask alone, with and without residual paths, at twelve layers") {
  CHECK_THAT(even_context_share(64, 12).back(), check::WithinAbs(0.987, 5e-4));
  CHECK_THAT(even_residual_context_share(64, 12).back(), check::WithinAbs(0.625, 5e-4));
  // By products of whole matrices.
  const Index N = 9;
  std::vector<std::vector<double>> B(N, std::vector<double>(N, 0.0)), product;
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t j = 0; j <= i; ++j) B[i][j] = (1 / static_cast<double>(i + 1) + (i == j ? 1 : 0)) / 2;
  product = B;
  const std::vector<double> share = even_residual_context_share(N, 5);
  for (std::size_t t = 0; t < 5; ++t) {
    CHECK_THAT(share[t], check::WithinAbs(product[8][0], 1e-15));
    std::vector<std::vector<double>> next(N, std::vector<double>(N, 0.0));
    for (std::size_t i = 0; i < 9; ++i)
      for (std::size_t j = 0; j < 9; ++j)
        for (std::size_t k = 0; k < 9; ++k) next[i][j] += B[i][k] * product[k][j];
    product = next;
  }
}

TEST_CASE("first-position-bias: equal logits without positions leave the mask, at any depth") {
  const std::vector<double> depths{1, 2, 3, 4, 5, 6, 7, 8};
  const cells::Answer answer = cells::run(cell("none", 64, depths, 0));
  const std::vector<double> closed = even_context_share(64, 8);
  for (std::size_t t = 0; t < 8; ++t) {
    CHECK_THAT(answer.curve("sink_share")[t], check::WithinAbs(harmonic(64) / 64, 1e-12));
    CHECK_THAT(answer.curve("context_share")[t], check::WithinAbs(closed[t], 1e-12));
    CHECK(answer.curve("context_share_log_excess")[t] == 0);
    CHECK(answer.curve("context_share_mask")[t] == closed[t]);
    CHECK_THAT(answer.curve("residual_context_share")[t],
               check::WithinAbs(answer.curve("residual_context_share_mask")[t], 1e-12));
  }
  CHECK(answer.scalar("sink_share_mask") == even_sink_share(64));
}

TEST_CASE("first-position-bias: without positions the excess is 0 with contents too, where the mask is no null") {
  const cells::Answer none = cells::run(cell("none", 64, {1, 2, 3}, 3));
  for (const char* measure : {"context_share_log_excess", "residual_context_share_log_excess", "decay"})
    for (const double excess : none.curve(measure)) CHECK(excess == 0);
  CHECK(std::abs(std::log(none.curve("context_share")[0] / none.curve("context_share_mask")[0])) > 0.01);
}
