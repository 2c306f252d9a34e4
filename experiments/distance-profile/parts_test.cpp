// SPDX-License-Identifier: Apache-2.0
// The parts of distance-profile: what a curve is like, RoFormer's bound, and what a point's cells are said to say.
#include <cmath>
#include <limits>
#include <numbers>

#include "answer.hpp"
#include "answers.hpp"
#include "catch.hpp"
#include "cells.hpp"
#include "poslab/experiments/precision.hpp"
#include "rotary_bound.hpp"
#include "shape.hpp"
#include "tally.hpp"

using namespace poslab;
using namespace poslab::experiments::distance_profile;
using data::Mark;
using data::Record;
using data::Value;
using Curve = std::vector<double>;

namespace {

constexpr double nan_ = std::numeric_limits<double>::quiet_NaN();

Curve bound_of(const std::string& scheme, const data::Values& parameters, base::Index D, const Curve& distances) {
  const host::Scheme rotary(cells::plugin(scheme), parameters, {D, 1, 512});
  const auto weights = rotary.draw_weights(data::Draws(1, "", scheme, 0));
  const auto bound = rotary_bound(rotary, {512, 512, true}, std::as_const(weights).of_layer(0), distances);
  return bound.value_or(Curve());
}

Curve rope_angles(base::Index R) {
  Curve angles;
  for (base::Index j = 0; j < R / 2; ++j)
    angles.push_back(std::pow(1e4, -2.0 * static_cast<double>(j) / static_cast<double>(R)));
  return angles;
}

// A repeat whose curves of change are these, for random, equal and all-ones contents.
Record record_of(const Curve& random, const Curve& equal, const Curve& ones, double error = 0) {
  Record record;
  Curve distances;
  for (std::size_t r = 0; r < random.size(); ++r) distances.push_back(static_cast<double>(r));
  record.coordinate("distance", distances);
  for (const auto& [kind, change] :
       {std::pair<std::string, Curve>{"random", random}, {"equal", equal}, {"ones", ones}}) {
    record.curve("change_" + kind, {"distance"}, change);
    record.scalar("fall_" + kind, fall(change));
    record.scalar("fall_error_" + kind, error);
    record.scalar("decay_length_" + kind, decay_length(change, 1e-9));
  }
  return record;
}

data::Answer answer_of(const std::vector<Record>& records) {
  return cells::answer_to({"distance-profile", "none", {{"length", Value(std::int64_t{4})}}}, records);
}

const Curve level{0, 0, 0, 0}, falling{0, -0.5, -1, -1.5}, in_waves{0, -2, -1, -3}, rising{0, 1, 2, 3};

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
  CHECK(attended_distance({7}) == 0);
  CHECK(attended_distance({800, 800, 800}) == 1);
  CHECK_THAT(attended_distance({0, std::log(3.0)}), check::WithinAbs(0.75, 1e-15));
  CHECK(asymmetry({1, 2, 5, 2, 1}, 2) == 0);
  CHECK(asymmetry({1, 2, 5, 5, 5}, 2) == std::sqrt((9.0 + 16.0) / 2));
  CHECK(std::isnan(asymmetry({1, 2}, 0)));
  CHECK(experiments::slack_of({-9, 3}, "float64") == 1e-9 * 10);
  CHECK(experiments::slack_of({-9, 3}, "float32") == 1e-5 * 10);
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

TEST_CASE("distance-profile answers: level, falling, in waves, for some contents only") {
  CHECK(answer_of({record_of(level, level, level)}).mark == Mark::no);
  CHECK(numbers_text(answer_of({record_of(level, level, level)})) == "");
  CHECK_THAT(answer_of({record_of(level, level, level)}).sentence, check::contains("does not fall"));

  const data::Answer yes = answer_of({record_of(falling, falling, falling)});
  CHECK(yes.mark == Mark::yes);
  CHECK(numbers_text(yes) == "2");
  CHECK(yes.sentence ==
        "the mean logit falls with distance for random, equal and all-ones contents at every step; for equal contents "
        "it has fallen by 1 for good after 2 positions");

  CHECK(answer_of({record_of(falling, in_waves, falling)}).mark == Mark::partly);
  CHECK_THAT(answer_of({record_of(falling, in_waves, falling)}).sentence, check::contains("equal contents in waves"));
  const data::Answer partly = answer_of({record_of(level, in_waves, falling)});
  CHECK(partly.mark == Mark::partly);
  CHECK(numbers_text(partly) == "1");
  CHECK(partly.sentence.ends_with("it has fallen by 1 for good after 1 position"));
  CHECK_THAT(partly.sentence, check::contains("for random contents it stays level (a fall of 0 sd)"));

  CHECK(answer_of({record_of(rising, rising, rising)}).mark == Mark::no);
  CHECK_THAT(answer_of({record_of(rising, rising, rising)}).sentence, check::contains("rises"));
}

TEST_CASE("distance-profile answers: a small fall is level, and one whose error is large cannot be told") {
  const Curve little{0, -0.03, -0.06, -0.09};
  CHECK(answer_of({record_of(little, little, little)}).mark == Mark::no);
  const Curve up{0, 0.1, 0.2, 0.3}, down{0, -0.3, -0.4, -0.5};
  const data::Answer unclear = answer_of({record_of(up, up, up), record_of(down, down, down)});
  CHECK(unclear.mark == Mark::cannot_tell);
  CHECK_THAT(unclear.sentence, check::starts_with("whether the mean logit falls with distance cannot be told"));
  CHECK(answer_of({record_of(down, level, level, 0.2)}).mark == Mark::cannot_tell);  // one repeat: its contents' error
  CHECK(answer_of({record_of(down, level, level, 0.01)}).mark == Mark::partly);
  CHECK(answer_of({record_of(down, level, level, nan_)}).mark == Mark::cannot_tell);  // of one content
}

TEST_CASE("distance-profile answers: repeats that all fall do fall, however unevenly") {
  std::vector<Record> repeats;
  for (const double slope : {0.2, 0.3, 0.2, 0.4, 0.3, 0.2, 90.0, 0.3}) {
    const Curve curve{0, -slope, -2 * slope, -3 * slope};
    repeats.push_back(record_of(curve, curve, curve));
  }
  CHECK(answer_of(repeats).mark == Mark::yes);  // 29 ± 28
  repeats.pop_back();
  CHECK(answer_of(repeats).mark == Mark::cannot_tell);
}

TEST_CASE("distance-profile answers: a step that rises less than its error is none") {
  const Curve one{0, -1, -1.2, -2.5}, two{0, -1.2, -0.9, -2.6};  // the second step: down by 0.2, up by 0.3
  std::vector<Record> repeats;
  for (int pair = 0; pair < 3; ++pair) {
    repeats.push_back(record_of(one, one, one));
    repeats.push_back(record_of(two, two, two));
  }
  CHECK(answer_of(repeats).mark == Mark::yes);
  repeats.resize(4);  // too few to know the error
  CHECK(answer_of(repeats).mark == Mark::partly);
}

TEST_CASE("distance-profile answers: a logit that does not fall by 1, or in some repeats only, has no length") {
  const Curve slow{0, -0.5, -0.9, -0.95}, quick{0, -0.5, -0.9, -1.05};
  const data::Answer never = answer_of({record_of(slow, slow, slow)});
  CHECK(never.mark == Mark::yes);
  CHECK(numbers_text(never) == "> 3");
  const data::Answer sometimes = answer_of({record_of(slow, slow, slow), record_of(quick, quick, quick)});
  CHECK(numbers_text(sometimes) == "");
  CHECK_THAT(sometimes.sentence, check::contains("in 1 of 2 repeats"));
  CHECK(never.sentence.ends_with("does not fall by 1 for good within 3 positions"));
  const data::Answer two = answer_of({record_of({0, -0.5}, {0, -0.5}, {0, -0.5})});
  CHECK(numbers_text(two) == "> 1");
  CHECK(two.sentence.ends_with("within 1 position"));
}

TEST_CASE("distance-profile answers: one position") {
  const data::Answer one = answer_of({record_of({0}, {0}, {0})});
  CHECK(one.mark == Mark::none);
  CHECK(one.sentence ==
        "one position has no distances over which a logit could fall");  // no full stop: more may follow
}

TEST_CASE("distance-profile answers for cells: ALiBi yes, RoPE for equal contents, nothing no") {
  const auto answered = [](const std::string& scheme) {
    return cells::answer_of({"distance-profile", scheme, {{"length", Value(std::int64_t{128})}}, {}, {64, 4, 128}});
  };
  CHECK(answered("alibi").mark == Mark::yes);
  CHECK(numbers_text(answered("alibi")) == "13");  // 1 / (mean of 2^-2, 2^-4, 2^-6, 2^-8) is 12.05
  CHECK(answered("none").mark == Mark::no);
  const data::Answer rope = answered("rope");
  CHECK(rope.mark == Mark::partly);
  CHECK_THAT(rope.sentence,
             check::contains("equal and all-ones contents in waves; for random contents it stays level"));
  CHECK(answered("sinusoidal").mark == Mark::partly);
  CHECK(column().legend.size() <= 100);
}
