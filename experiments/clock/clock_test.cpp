// SPDX-License-Identifier: Apache-2.0
// The clock of a code against closed forms, and against plain loops over them.
// Dimension letters: N positions, K head width, J planes.
#include <cmath>
#include <numbers>
#include <random>

#include "catch.hpp"
#include "cells.hpp"
#include "rates.hpp"
#include "shipped.hpp"
#include "thousand.hpp"

namespace {

using cells::Answer;
using cells::Cell;
using cells::Index;
using poslab::data::Placement;
using poslab::data::Value;

constexpr double circle = 2 * std::numbers::pi;

Cell cell(const std::string& scheme, std::int64_t N, Index D = 64, Index H = 1) {
  return {"clock", scheme, {{"length", Value(N)}}, {}, {D, H, N}};
}

double rate(Index plane, Index K, double base = 1e4) {
  return std::pow(base, -2 * static_cast<double>(plane) / static_cast<double>(K));
}

}  // namespace

TEST_CASE("clock of RoPE: rates, wavelengths, turns and angles of every plane") {
  const Index N = 100, K = 16, J = K / 2;
  const Answer answer = cells::run(cell("rope", N, K));
  for (Index j = 0; j < J; ++j) {
    const auto at = static_cast<std::size_t>(j);
    CHECK_THAT(answer.curve("rate")[at], check::WithinRel(rate(j, K), 1e-14));
    CHECK_THAT(answer.curve("wavelength")[at], check::WithinRel(circle / rate(j, K), 1e-14));
    CHECK_THAT(answer.curve("turns")[at], check::WithinRel(99 * rate(j, K) / circle, 1e-14));
    for (Index p = 0; p < N; ++p) {
      // The hand by its place on the circle: equal modulo a turn.
      const double angle = answer.curve("angle")[static_cast<std::size_t>(j * N + p)];
      REQUIRE(angle >= 0);
      REQUIRE(angle < circle);
      REQUIRE_THAT(std::cos(angle), check::WithinAbs(std::cos(static_cast<double>(p) * rate(j, K)), 1e-12));
      REQUIRE_THAT(std::sin(angle), check::WithinAbs(std::sin(static_cast<double>(p) * rate(j, K)), 1e-12));
    }
  }
}

TEST_CASE("clock of LLaMA-2: 46 of 64 planes make a full turn within 4096 positions") {
  CHECK(cells::run(cell("rope", 4096, 128)).curve("turned") == std::vector<double>{46});
  // A plane that comes back at the last position has made a full turn, one that comes back at the next has not.
  Cell here = cell("rope", 5, 4);
  here.parameters = {{"base", Value(std::pow(4 / circle, 2.0))}};  // below 1: the second plane rotates by pi / 2
  CHECK_THAT(cells::run(here).curve("turns")[0], check::WithinRel(1.0, 1e-12));
}

TEST_CASE("clock: rates that a scheme declares are those that are measured of its transform") {
  std::mt19937_64 random(5);
  for (int round = 0; round < check::thousand; ++round) {
    const Index K = 2 + 2 * static_cast<Index>(random() % 4), H = 1 + static_cast<Index>(random() % 2);
    const double base = std::exp(1 + static_cast<double>(random() % 1000) / 100);
    const char* style = random() % 2 ? "interleaved" : "half-split";
    CAPTURE(round, K, H, base, style);
    const poslab::host::Scheme scheme(cells::plugin("rope"), {{"base", Value(base)}, {"style", Value(style)}},
                                      {H * K, H, 16});
    const auto declared = poslab::experiments::clock::rates(scheme, {16, 16, false}, 1, {});
    for (Index j = 0; j < K / 2; ++j) REQUIRE_THAT((*declared)(0, 0, j), check::WithinRel(rate(j, K, base), 1e-13));
  }
  // On a grid they are measured, along each axis: half of the planes by the column, half by the row.
  const Index K = 16;
  Cell here = cell("rope-2d", 48, 2 * K, 2);
  here.placement = cells::grid({6, 8});
  const Answer answer = cells::run(here);
  REQUIRE(answer.curve("rate").size() == 2 * 2 * (K / 2));
  for (std::size_t axis = 0; axis < 2; ++axis)
    for (std::size_t h = 0; h < 2; ++h)
      for (std::size_t j = 0; j < 8; ++j) {
        CAPTURE(axis, h, j);
        const double expected = j < 4 ? std::pow(100.0, -4 * static_cast<double>(j) / K) : 0;
        const std::size_t at = (axis * 2 + h) * 8 + j;
        CHECK_THAT(answer.curve("rate")[at], check::WithinAbs(expected, 1e-12));
        CHECK_THAT(answer.curve("turns")[at], check::WithinAbs(expected * (axis == 0 ? 5 : 7) / circle, 1e-12));
        CHECK(std::isnan(answer.curve("wavelength")[at]) == (expected == 0));
      }
  CHECK_FALSE(answer.has("angle"));
}

TEST_CASE("clock of RoPE with planes that stand still, and of a turn the other way") {
  Cell here = cell("rope", 10, 16);
  here.parameters = {{"scaling", Value("proportional")}, {"p", Value(0.5)}};
  const Answer answer = cells::run(here);
  for (std::size_t j = 0; j < 8; ++j) {
    CHECK_THAT(answer.curve("rate")[j], check::WithinAbs(j < 4 ? rate(static_cast<Index>(j), 16) : 0, 1e-15));
    CHECK(std::isnan(answer.curve("wavelength")[j]) == (j >= 4));
    CHECK(answer.curve("angle")[j * 10] == 0);
  }
  CHECK(poslab::experiments::clock::angle_at(1.0, -1.0) == circle - 1);
  CHECK(poslab::experiments::clock::angle_at(0.0, 7.0) == 0);
  CHECK_THAT(poslab::experiments::clock::angle_at(2.0, 3.5), check::WithinAbs(7 - circle, 1e-15));
}

TEST_CASE("clock: the matrix is that of the codes") {
  const Index N = 20, D = 8;
  const Answer sinusoid = cells::run(cell("sinusoidal", N, D));
  REQUIRE(sinusoid.curve("matrix").size() == static_cast<std::size_t>(N * D));
  for (Index p = 0; p < N; ++p)
    for (Index c = 0; c < D; ++c) {
      const double at = static_cast<double>(p) * rate(c / 2, D);
      CHECK_THAT(sinusoid.curve("matrix")[static_cast<std::size_t>(p * D + c)],
                 check::WithinAbs(c % 2 ? std::cos(at) : std::sin(at), 1e-14));
    }
  const Answer rope = cells::run(cell("rope", N, D));
  for (Index p = 0; p < N; ++p)
    for (Index c = 0; c < D; ++c) {
      const double at = static_cast<double>(p) * rate(c / 2, D);
      CHECK_THAT(rope.curve("matrix")[static_cast<std::size_t>(p * D + c)],
                 check::WithinAbs(c % 2 ? std::cos(at) + std::sin(at) : std::cos(at) - std::sin(at), 1e-13));
    }
  const Answer alibi = cells::run(cell("alibi", N, D, 2));
  CHECK_FALSE(alibi.has("rate"));
  for (Index r = 0; r < N; ++r)
    for (Index h = 0; h < 2; ++h)
      CHECK_THAT(alibi.curve("matrix")[static_cast<std::size_t>(2 * r + h)],
                 check::WithinAbs(-std::exp2(-4.0 * static_cast<double>(h + 1)) * static_cast<double>(r), 1e-13));
}

TEST_CASE("clock of a grid: the matrix has a row a cell, with its row and column") {
  Cell here = cell("sincos-2d", 12, 8);
  here.placement = cells::grid({3, 4});
  const Answer answer = cells::run(here);
  REQUIRE(answer.curve("matrix").size() == 12 * 8);
  REQUIRE(answer.record.position_coordinates().size() == 2);
  CHECK(answer.record.position_coordinates()[0].values[5] == 1);  // the sixth cell: row 1, column 1
  CHECK(answer.record.position_coordinates()[1].values[5] == 1);
  CHECK_THAT(answer.curve("matrix")[8 * 5], check::WithinAbs(std::sin(1.0), 1e-14));
  CHECK_FALSE(answer.has("rate"));  // it declares none, and transforms nothing
}

TEST_CASE("clock elsewhere than at 0, 1, 2 ...: angles of the positions themselves") {
  Cell here = cell("rope", 3, 4);
  here.placement.policy = Placement::Policy::at;
  here.placement.values = {0, 0.7, 1.9};
  const Answer answer = cells::run(here);
  CHECK_THAT(answer.curve("angle")[1], check::WithinAbs(0.7, 1e-15));
  CHECK_THAT(answer.curve("turns")[0], check::WithinAbs(1.9 / circle, 1e-15));
}

TEST_CASE("clock of nothing: a matrix of zeros, no planes") {
  const Answer answer = cells::run(cell("none", 5, 4));
  for (const double entry : answer.curve("matrix")) CHECK(entry == 0);
  for (const char* measure : {"rate", "wavelength", "turns", "turned", "angle"}) CHECK_FALSE(answer.has(measure));
}

TEST_CASE("clock of one position and of two") {
  for (const std::int64_t N : {1, 2}) {
    const Answer answer = cells::run(cell("rope", N, 4));
    CHECK(answer.curve("turns")[0] == static_cast<double>(N - 1) / circle);
    CHECK(answer.curve("turned")[0] == 0);
    CHECK(answer.curve("angle").size() == static_cast<std::size_t>(2 * N));
  }
}

TEST_CASE("clock: every shipped scheme has a matrix, or a sentence why not") {
  std::size_t with_matrix = 0;
  for (const std::string& id : shipped_schemes()) {
    CAPTURE(id);
    Cell here = cell(id, 36, 48, 2);
    Answer answer = cells::run(here);
    if (!answer.skip.empty()) {
      CHECK(answer.skip.find(' ') != std::string::npos);
      here.placement = cells::grid({6, 6});
      answer = cells::run(here);
    }
    if (!answer.skip.empty()) continue;
    ++with_matrix;
    for (const double entry : answer.curve("matrix")) REQUIRE(std::isfinite(entry));
  }
  CHECK(with_matrix > 25);
}
