// SPDX-License-Identifier: Apache-2.0
// The parts of distance-profile: what a curve is like, and RoFormer's bound.
#include <cmath>
#include <numbers>

#include "catch.hpp"
#include "cells.hpp"
#include "poslab/experiment/precision.hpp"
#include "rotary_bound.hpp"
#include "shape.hpp"
#include "tally.hpp"

using namespace poslab;
using namespace poslab::experiments::distance_profile;
using data::Value;
using Curve = std::vector<double>;

namespace {

Curve bound_of(const std::string& scheme, const data::Values& parameters, base::Index D, const Curve& distances) {
  const host::Scheme rotary(cells::plugin(scheme), parameters, {D, 1, 512});
  const auto weights = rotary.draw_weights(data::Draws(1, "", scheme, 0));
  const auto bound = rotary_bound(rotary, {512, 512, true}, std::as_const(weights).layer(0), distances);
  return bound.value_or(Curve());
}

Curve rope_angles(base::Index R) {
  Curve angles;
  for (base::Index j = 0; j < R / 2; ++j)
    angles.push_back(std::pow(1e4, -2.0 * static_cast<double>(j) / static_cast<double>(R)));
  return angles;
}

}  // namespace

TEST_CASE("distance-profile: what a curve is like") {
  CHECK(fall({5, 3, 2, 0}) == 4);
  CHECK(fall({5, 3, 2}) == 3);
  CHECK(fall({5, 3}) == 2);
  CHECK(std::isnan(fall({5})));
  CHECK(monotonicity({3, 2, 2, 2.5, 1}, 0) == 0.75);
  CHECK(monotonicity({3, 2, 2, 2.5, 1}, 0.5) == 1);
  CHECK(std::isnan(monotonicity({1}, 0)));
  CHECK(decay_length({3, 2, 2.5, 2, 1}, 0) == 3);
  CHECK(decay_length({3, 2.000001, 1, 0}, 0) == 2);
  CHECK(decay_length({3, 2.000001, 1, 0}, 1e-5) == 1);
  CHECK(std::isnan(decay_length({3, 1, 1, 2.5}, 0)));
  CHECK(std::isnan(decay_length({3}, 0)));
  CHECK(first_rise({3, 2, 2, 2.5, 1}, 0) == 2);
  CHECK(std::isnan(first_rise({3, 2, 2, 2.5, 1}, 0.5)));
  CHECK(std::isnan(first_rise({3}, 0)));
  CHECK(mean_under_softmax({7}) == 0);
  CHECK(mean_under_softmax({800, 800, 800}) == 1);
  CHECK_THAT(mean_under_softmax({0, std::log(3.0)}), check::WithinAbs(0.75, 1e-15));
  CHECK(asymmetry({1, 2, 5, 2, 1}, 2) == 0);
  CHECK(asymmetry({1, 2, 5, 5, 5}, 2) == std::sqrt((9.0 + 16.0) / 2));
  CHECK(std::isnan(asymmetry({1, 2}, 0)));
  CHECK(experiments::slack_of({-9, 3}, experiments::Dtype::float64) == 1e-9 * 10);
  CHECK(experiments::slack_of({-9, 3}, experiments::Dtype::float32) == 1e-5 * 10);
}

TEST_CASE("distance-profile: tallies are joined as if all had been counted at once") {
  Tally all, first, second;
  for (int i = 0; i < 20; ++i) {
    const double x = 1e3 + std::sin(i), change = std::cos(i);
    all.add(x, change);
    (i < 7 ? first : second).add(x, change);
  }
  Tally joined;
  joined.append(Tally());
  joined.append(first);
  joined.append(second);
  CHECK(joined.mean() == check::Approx(all.mean()).epsilon(1e-14));
  CHECK(joined.deviation() == check::Approx(all.deviation()).epsilon(1e-10));
  CHECK(joined.change() == check::Approx(all.change()).epsilon(1e-14));
  double mean = 0, squares = 0;
  for (int i = 0; i < 20; ++i) mean += std::sin(i) / 20;
  for (int i = 0; i < 20; ++i) squares += (std::sin(i) - mean) * (std::sin(i) - mean) / 20;
  CHECK(all.deviation() == check::Approx(std::sqrt(squares)).epsilon(1e-10));
}

TEST_CASE("distance-profile: RoFormer's bound of 128 channels, whatever the style") {
  for (const char* style : {"interleaved", "half-split"}) {
    const Curve bound = bound_of("rope", {{"style", Value(style)}}, 128, {0, 10, 100, -100});
    REQUIRE(bound.size() == 4);
    CHECK_THAT(bound[0], check::WithinAbs(32.5, 1e-11));
    CHECK_THAT(bound[1], check::WithinAbs(17.954, 1e-3));
    CHECK_THAT(bound[2], check::WithinAbs(10.227, 1e-3));
    CHECK_THAT(bound[3], check::WithinAbs(bound[2], 1e-11));
  }
}

TEST_CASE("distance-profile: the bound from the angles that are declared, with the planes that stand still") {
  const Curve distances{0, 1, 7, 300};
  Curve angles = rope_angles(8);
  angles.resize(16, 0.0);  // 8 of 32 channels rotate
  const Curve partial = bound_of("rope", {{"rotary_width", Value(std::int64_t{8})}}, 32, distances);
  REQUIRE(partial.size() == distances.size());
  for (std::size_t i = 0; i < distances.size(); ++i)
    CHECK_THAT(partial[i], check::WithinAbs(bound_at(distances[i], angles), 1e-10));
  // By hand: angles pi and 0 at distance 1, sums -1 and 0.
  CHECK_THAT(bound_at(1, {std::numbers::pi, 0}), check::WithinAbs(0.5, 1e-15));
  CHECK(bound_at(0, {2, 1, 0.5}) == 2);
  // YaRN lengthens every vector alike and rotates by its own angles.
  CHECK(bound_of("rope", {{"scaling", Value("yarn")}, {"factor", Value(4.0)}}, 32, {5}).size() == 1);
}

TEST_CASE("distance-profile: all-ones logits stay below the bound") {
  const cells::Answer answer = cells::run({"distance-profile",
                                           "rope",
                                           {{"length", Value(std::int64_t{500})}, {"contents", Value(std::int64_t{1})}},
                                           {},
                                           {32, 1, 500}});
  // Abel: |sum_j h_j exp(i r theta_j)| <= max |h_(j+1) - h_j| sum_j |S_j| = 2 J B, over sqrt(K).
  for (std::size_t r = 0; r < 500; ++r)
    REQUIRE(std::abs(answer.curve("mean_ones")[r]) <= std::sqrt(32.0) * answer.curve("bound")[r]);
}

TEST_CASE("distance-profile: what is no rotation has no bound") {
  for (const char* scheme : {"none", "alibi", "sinusoidal", "xpos", "retnet", "t5", "shaw", "path", "selective-rope"}) {
    CAPTURE(scheme);
    CHECK(bound_of(scheme, {}, 32, {1}).empty());
  }
}
