// SPDX-License-Identifier: Apache-2.0
// Logits by distance, scheme by scheme, against known answers and closed forms.
// Dimension letters: N positions, H heads, K head width.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "cells.hpp"
#include "distance_profile_cells.hpp"
#include "poslab/data/draws.hpp"
#include "poslab/host/scheme.hpp"

namespace {

using namespace distance_profile_cells;
using poslab::data::Draws;

double slope(Index h) { return std::exp2(-static_cast<double>(h + 1)); }  // ALiBi of 8 heads
constexpr double mean_slope = 255.0 / 256 / 8;

double sum_of_cosines(double distance, Index K) {
  double sum = 0;
  for (Index j = 0; j < K / 2; ++j) sum += std::cos(distance * angle(j, K));
  return sum;
}

}  // namespace

TEST_CASE("distance-profile of nothing: no change, no fall, no length") {
  const Answer answer = cells::run(cell("none", 200, 16));
  for (const std::string kind : {"random", "equal", "ones"}) {
    CAPTURE(kind);
    for (const double change : answer.curve("change_" + kind)) REQUIRE(change == 0);
    CHECK(answer.scalar("fall_" + kind) == 0);
    CHECK(std::isnan(answer.scalar("first_rise_" + kind)));
    CHECK(answer.scalar("monotonicity_" + kind) == 1);
    CHECK(std::isnan(answer.scalar("decay_length_" + kind)));
  }
  CHECK(answer.scalar("fall_error_random") == 0);
  for (const double mean : answer.curve("mean_ones")) REQUIRE_THAT(mean, check::WithinAbs(std::sqrt(8.0), 1e-14));
  for (const double deviation : answer.curve("deviation_ones")) REQUIRE(deviation <= 1e-14);
  // Content logits of unit variance: 16 contents, 8 heads and 200 pairs at distance 0.
  CHECK_THAT(answer.curve("deviation_random")[0], check::WithinAbs(1.0, 0.03));
  CHECK_THAT(answer.curve("mean_random")[0], check::WithinAbs(0.0, 4 / std::sqrt(25600.0)));
  for (const double attended : answer.curve("attended_distance"))
    CHECK_THAT(attended, check::WithinAbs(199.0 / 2, 1e-10));
  CHECK_FALSE(answer.has("bound"));
  CHECK_FALSE(answer.has("asymmetry_ones"));
}

TEST_CASE("distance-profile of ALiBi: a head looks back by the mean of a geometric distribution, cut off at N") {
  for (const std::int64_t N : {1, 2, 30, 300}) {
    const Answer answer = cells::run(cell("alibi", N, 1));
    for (Index h = 0; h < 8; ++h) {
      const auto length = static_cast<double>(N);
      CAPTURE(N, h);
      CHECK_THAT(answer.curve("attended_distance")[static_cast<std::size_t>(h)],
                 check::WithinAbs(1 / std::expm1(slope(h)) - length / std::expm1(length * slope(h)), 1e-11));
    }
  }
  Cell both = cell("alibi", 30, 1);
  both.axes.set("offsets", Value("both"));
  both.parameters = {{"form", Value("symmetric")}};
  CHECK_THAT(cells::run(both).curve("attended_distance")[0],
             check::WithinAbs(1 / std::expm1(0.5) - 30 / std::expm1(15.0), 1e-11));  // keys before the query alone
}

TEST_CASE("distance-profile of RoPE with 128 channels: it falls at every step up to distance 11") {
  CHECK(cells::run(cell("rope", 40, 1, 128, 1)).scalar("first_rise_ones") == 11);
}

TEST_CASE("distance-profile of ALiBi: -slope r for any contents, fallen by 1 after 1 / slope") {
  const Answer answer = cells::run(cell("alibi", 300));
  for (const std::string kind : {"random", "equal", "ones"}) {
    CAPTURE(kind);
    for (std::size_t r = 0; r < 300; ++r)
      REQUIRE_THAT(answer.curve("change_" + kind)[r], check::WithinAbs(-mean_slope * static_cast<double>(r), 1e-11));
    CHECK(answer.scalar("monotonicity_" + kind) == 1);
    CHECK(answer.scalar("decay_length_" + kind) == std::ceil(1 / mean_slope));
    for (Index h = 0; h < 8; ++h)
      CHECK(answer.curve("head_decay_length_" + kind)[static_cast<std::size_t>(h)] == 1 / slope(h));
    CHECK_THAT(answer.scalar("fall_" + kind), check::WithinAbs(mean_slope * 224.5, 1e-11));  // of 150 .. 299
  }
}

TEST_CASE(
    "distance-profile of RoPE: cosines for ones, the energy's cosines for equal contents, nothing for random ones") {
  const Answer answer = cells::run(cell("rope", 1001, 4, 64, 1));
  // The design's table of 64 channels: the same as twice the sinusoid's Gram matrix.
  const std::vector<double>& ones = answer.curve("mean_ones");
  for (const auto& [r, product] : {std::pair{0, 64.000}, {1, 61.834}, {10, 42.103}, {100, 35.749}, {1000, 17.852}})
    CHECK_THAT(8 * ones[static_cast<std::size_t>(r)], check::WithinAbs(product, 1e-3));
  for (std::size_t r = 0; r < ones.size(); ++r)
    REQUIRE_THAT(ones[r], check::WithinAbs(2 * sum_of_cosines(static_cast<double>(r), 64) / 8, 1e-11));
  for (const double change : answer.curve("change_equal")) REQUIRE(change <= 1e-9);  // no distance beats 0
  CHECK(answer.scalar("fall_equal") > 1);
  CHECK_THAT(answer.scalar("fall_random"), check::WithinAbs(0.0, 5 * answer.scalar("fall_error_random")));
  CHECK(answer.scalar("monotonicity_ones") < 1);
}

TEST_CASE("distance-profile of T5: level beyond its greatest distance, wherever the scale is") {
  Cell here = cell("t5", 300);
  const Answer answer = cells::run(here);
  for (std::size_t r = 114; r < 300; ++r)
    REQUIRE_THAT(answer.curve("change_random")[r], check::WithinAbs(answer.curve("change_random")[113], 1e-12));
  CHECK(std::abs(answer.curve("change_random")[113] - answer.curve("change_random")[90]) > 1e-6);
  here.parameters = {{"scaled", Value(true)}};
  check_near(cells::run(here).curve("deviation_random"), answer.curve("deviation_random"), 1e-12);
}

TEST_CASE("distance-profile of Kerple: each head falls by its logarithm") {
  const Index N = 120, H = 4;
  const Answer answer = cells::run(cell("kerple", N, 2, 32, H));
  const poslab::host::Scheme scheme(cells::plugin("kerple"), {}, {32, H, N});
  const auto weights = scheme.draw_weights(Draws(20261121, "distance-profile", "kerple", 0));
  for (Index h = 0; h < H; ++h)
    for (Index r = 0; r < N; ++r) {
      const double a = std::max(0.01, weights.layer(0)[0](h)), p = std::max(0.01, weights.layer(0)[1](h));
      REQUIRE_THAT(answer.curve("head_mean_ones")[static_cast<std::size_t>(h * N + r)],
                   check::WithinAbs(std::sqrt(8.0) - p * std::log1p(a * static_cast<double>(r)), 1e-12));
    }
}

TEST_CASE("distance-profile: both sides of the query") {
  const auto asymmetry = [](const std::string& scheme, const char* form, const std::string& kind) {
    Cell here = cell(scheme, 50);
    here.axes.set("offsets", Value("both"));
    if (form) here.parameters = {{"form", Value(form)}};
    const Answer answer = cells::run(here);
    REQUIRE(answer.skip.empty());
    CHECK(answer.record.coordinate_of("distance")->values.front() == -49);
    CHECK(answer.curve("mean_random").size() == 99);
    return answer.scalar("asymmetry_" + kind);
  };
  CHECK(asymmetry("none", nullptr, "random") == 0);
  CHECK(asymmetry("alibi", "symmetric", "random") <= 1e-13);
  CHECK_THAT(asymmetry("alibi", "asymmetric", "ones"), check::WithinAbs(mean_slope / 2, 1e-13));  // half a step apart
  CHECK(asymmetry("rope", nullptr, "ones") <= 1e-13);
  CHECK(asymmetry("rope", nullptr, "equal") <= 1e-13);
  CHECK_THAT(cells::run([] {
               Cell here = cell("fox", 20);
               here.axes.set("offsets", Value("both"));
               return here;
             }())
                 .skip,
             check::contains("causal"));
}
