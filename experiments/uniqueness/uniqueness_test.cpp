// SPDX-License-Identifier: Apache-2.0
// Uniqueness against closed forms of each scheme, and against a second way to the same numbers.
// Dimension letters: N positions, D model width, H heads, K head width.
#include <cmath>
#include <set>

#include "catch.hpp"
#include "cells.hpp"

namespace {

using cells::Answer;
using cells::Cell;
using cells::Index;
using poslab::data::Value;

using cells::whole;

// |e(p) - e(p + r)| of the sinusoid: sqrt(sum of 2 - 2 cos(w r)).
double sinusoid_distance(double r, Index D) {
  double squared = 0;
  for (Index m = 0; m < D / 2; ++m)
    squared += 2 - 2 * std::cos(r * std::pow(1e4, -2.0 * static_cast<double>(m) / static_cast<double>(D)));
  return std::sqrt(squared);
}

// T5's causal buckets, 32 for distances up to 128, written out from known values.
int t5_bucket(int distance) {
  static constexpr int first_distance[] = {16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113};
  if (distance < 16) return distance;
  int bucket = 15;
  for (const int first : first_distance) bucket += distance >= first;
  return bucket;
}

double pairs(double n) { return n * (n - 1) / 2; }

}  // namespace

TEST_CASE("uniqueness of the sinusoid: neighbours, 1.952596 apart at D = 128, N = 512") {
  const Answer answer = cells::run({"uniqueness", "sinusoidal", {{"length", whole(512)}}});
  CHECK(answer.scalar("min_distance") == check::Approx(1.952596).margin(5e-7));
  CHECK(answer.scalar("min_distance") == check::Approx(sinusoid_distance(1, 128)).epsilon(1e-12));
  CHECK(answer.scalar("closest_first") == 0);
  CHECK(answer.scalar("closest_second") == 1);
  CHECK(answer.scalar("relative_margin") ==
        check::Approx(sinusoid_distance(1, 128) / 8).epsilon(1e-12));  // |e|^2 = D / 2
  CHECK(answer.scalar("collisions") == 0);
  CHECK(answer.scalar("distinct") == 512);
  CHECK_FALSE(answer.has("mirror_distance"));
  for (std::size_t p = 0; p < 512; ++p) {
    REQUIRE(answer.curve("nearest_distance")[p] == check::Approx(sinusoid_distance(1, 128)).epsilon(1e-12));
    REQUIRE(answer.curve("nearest_position")[p] == (p == 0 ? 1.0 : static_cast<double>(p) - 1));
  }
}

TEST_CASE("uniqueness of the sinusoid does not depend on its layout") {
  const Answer interleaved =
      cells::run({"uniqueness", "sinusoidal", {{"length", whole(300)}}, {{"layout", Value("interleaved")}}});
  const Answer half_split =
      cells::run({"uniqueness", "sinusoidal", {{"length", whole(300)}}, {{"layout", Value("half-split")}}});
  for (const auto& measurement : interleaved.record.measurements()) {
    CAPTURE(measurement.name);
    for (std::size_t i = 0; i < measurement.values.size(); ++i)
      REQUIRE(half_split.curve(measurement.name)[i] == check::Approx(measurement.values[i]).epsilon(1e-12));
  }
}

TEST_CASE("uniqueness of nothing: one class, every pair collides, status ok") {
  const Answer answer = cells::run({"uniqueness", "none", {{"length", whole(1000)}}});
  CHECK(answer.skip.empty());
  CHECK(answer.scalar("min_distance") == 0);
  CHECK(answer.scalar("closest_first") == 0);
  CHECK(answer.scalar("closest_second") == 1);
  CHECK(answer.scalar("relative_margin") == 0);
  CHECK(answer.scalar("collisions") == pairs(1000));
  CHECK(answer.scalar("distinct") == 1);
  CHECK(cells::run({"uniqueness", "none", {{"length", whole(30)}, {"kind", Value("offset")}}}).scalar("distinct") == 1);
}

TEST_CASE("uniqueness of the index: 1 in one channel, sqrt(D) in all, normalised 1 / (N - 1) a channel") {
  const cells::Values axes{{"length", whole(400)}};
  CHECK(cells::run({"uniqueness", "index", axes}).scalar("min_distance") == 1);
  CHECK(cells::run({"uniqueness", "index", axes, {{"broadcast", Value(true)}}}).scalar("min_distance") ==
        check::Approx(std::sqrt(128.0)).epsilon(1e-14));
  CHECK(cells::run({"uniqueness", "normalised-index", axes}).scalar("min_distance") ==
        check::Approx(1.0 / 399).epsilon(1e-12));
  CHECK(cells::run({"uniqueness", "normalised-index", axes, {{"broadcast", Value(true)}}}).scalar("min_distance") ==
        check::Approx(std::sqrt(128.0) / 399).epsilon(1e-12));
}

TEST_CASE("uniqueness of RoPE: the nearest code by cosines of its angles alone") {
  const Index N = 600, H = 8, K = 16;
  const Answer answer = cells::run({"uniqueness", "rope", {{"length", whole(N)}}});
  std::vector<double> squared(static_cast<std::size_t>(N), 0.0);  // by distance: (1, 1) rotated in each plane
  for (std::size_t r = 1; r < squared.size(); ++r)
    for (Index m = 0; m < K / 2; ++m)
      squared[r] += static_cast<double>(H) * 2 *
                    (2 - 2 * std::cos(static_cast<double>(r) *
                                      std::pow(1e4, -2.0 * static_cast<double>(m) / static_cast<double>(K))));
  for (std::size_t p = 0; p < squared.size(); ++p) {
    double nearest = 1e300;
    for (std::size_t q = 0; q < squared.size(); ++q)
      if (q != p) nearest = std::min(nearest, squared[q > p ? q - p : p - q]);
    REQUIRE(answer.curve("nearest_distance")[p] == check::Approx(std::sqrt(nearest)).epsilon(1e-12));
  }
  CHECK(answer.scalar("relative_margin") ==
        check::Approx(answer.scalar("min_distance") / std::sqrt(128.0)).epsilon(1e-12));
}

TEST_CASE("uniqueness of values that rotate, by keys that do not: RoPE's codes") {
  const Answer rope = cells::run({"uniqueness", "rope", {{"length", whole(60)}}}),
               values = cells::run({"uniqueness", "value-rope", {{"length", whole(60)}}, {{"logits", Value(false)}}});
  CHECK(values.curve("nearest_distance") == rope.curve("nearest_distance"));
  CHECK(values.scalar("min_distance") == rope.scalar("min_distance"));
}

TEST_CASE("uniqueness of T5, causal, 32 buckets up to 128: 32 classes, and as many collisions as they have pairs") {
  const int N = 512;
  const Answer answer = cells::run({"uniqueness", "t5", {{"length", whole(N)}}});
  std::vector<double> members(32, 0.0);
  for (int r = 0; r < N; ++r) members[static_cast<std::size_t>(t5_bucket(r))] += 1;
  double collisions = 0;
  for (const double m : members) collisions += pairs(m);
  CHECK(answer.scalar("distinct") == 32);
  CHECK(answer.scalar("collisions") == collisions);
  CHECK(answer.scalar("min_distance") == 0);
  CHECK(answer.scalar("closest_first") == 16);
  CHECK(answer.scalar("closest_second") == 17);
}

TEST_CASE("uniqueness of Shaw: k + 1 classes of causal offsets, 2 k + 1 of both signs") {
  const std::int64_t k = GENERATE(1, 5, 16);
  const Cell causal{"uniqueness", "shaw", {{"length", whole(64)}}, {{"clip", whole(k)}}, {32, 4, 64}};
  CHECK(cells::run(causal).scalar("distinct") == static_cast<double>(k + 1));
  Cell both = causal;
  both.axes.set("offsets", Value("both"));
  const Answer answer = cells::run(both);
  CHECK(answer.scalar("distinct") == static_cast<double>(2 * k + 1));
  CHECK(answer.scalar("mirror_distance") > 0);
}

TEST_CASE("uniqueness tells left from right where the scheme does (mirror_distance)") {
  const cells::Values axes{{"length", whole(101)}, {"offsets", Value("both")}};
  const Answer symmetric = cells::run({"uniqueness", "alibi", axes, {{"form", Value("symmetric")}}});
  CHECK(symmetric.scalar("mirror_distance") == 0);
  CHECK(symmetric.scalar("distinct") == 51);
  CHECK(cells::run({"uniqueness", "alibi", axes, {{"form", Value("asymmetric")}}}).scalar("mirror_distance") > 0);
  CHECK(cells::run({"uniqueness", "t5", axes, {{"bidirectional", Value(true)}}}).scalar("mirror_distance") > 0);
  CHECK_THAT(cells::run({"uniqueness", "alibi", axes}).skip, check::contains("alibi"));  // causal, asked for both signs
}

TEST_CASE("uniqueness of ALiBi's offsets: sqrt(sum of squared slopes) apart") {
  const Answer answer = cells::run({"uniqueness", "alibi", {{"length", whole(300)}}});
  double squared = 0;
  for (int h = 1; h <= 8; ++h) squared += std::exp2(-2.0 * h);
  CHECK(answer.scalar("min_distance") == check::Approx(std::sqrt(squared)).epsilon(1e-13));
  CHECK(answer.scalar("distinct") == 300);
}

TEST_CASE("uniqueness of a learned table: another draw, another table, the same draw, the same numbers") {
  const Cell cell{"uniqueness", "learned", {{"length", whole(64)}}, {}, {16, 2, 64}};
  Cell again = cell;
  again.repeat = 1;
  CHECK(cells::run(cell).curve("nearest_distance") == cells::run(cell).curve("nearest_distance"));
  CHECK(cells::run(cell).curve("nearest_distance") != cells::run(again).curve("nearest_distance"));
  CHECK(cells::run(cell).scalar("distinct") == 64);
  CHECK(cells::run(cell).scalar("min_distance") > 0);
}

TEST_CASE("uniqueness in float32 is near that in float64, and not the same") {
  Cell cell{"uniqueness", "sinusoidal", {{"length", whole(200)}}};
  const double in_double = cells::run(cell).scalar("min_distance");
  cell.axes.set("dtype", Value("float32"));
  const double in_float = cells::run(cell).scalar("min_distance");
  CHECK(in_float == check::Approx(in_double).epsilon(1e-5));
  CHECK(in_float != in_double);
}

TEST_CASE("uniqueness of one position and of two") {
  const Answer one = cells::run({"uniqueness", "sinusoidal", {{"length", whole(1)}}});
  CHECK_FALSE(one.has("min_distance"));
  CHECK(one.scalar("distinct") == 1);
  CHECK(one.scalar("collisions") == 0);
  CHECK(std::isnan(one.curve("nearest_distance")[0]));
  const Answer two = cells::run({"uniqueness", "rope", {{"length", whole(2)}}});
  CHECK(two.scalar("distinct") == 2);
  CHECK(two.curve("nearest_position") == std::vector<double>{1, 0});
  for (const std::int64_t N : {1, 2}) {
    const Answer both = cells::run({"uniqueness", "t5", {{"length", whole(N)}, {"offsets", Value("both")}}});
    CHECK_FALSE(both.has("mirror_distance"));
  }
}

TEST_CASE("uniqueness skips what has no code of the kind asked for, and what the scheme cannot serve") {
  const Value offset("offset"), position("position");
  CHECK_THAT(cells::run({"uniqueness", "rope", {{"kind", offset}}}).skip,
             check::contains("offsets no code of their own"));
  CHECK_THAT(cells::run({"uniqueness", "alibi", {{"kind", position}}}).skip,
             check::contains("positions no code of their own"));
  CHECK_THAT(cells::run({"uniqueness", "learned", {{"length", whole(65)}}, {}, {16, 2, 64}}).skip,
             check::contains("position 64"));
}

TEST_CASE("uniqueness: one large number leaves the other codes what they are, however they are looked at") {
  const Index N = 256, D = 16;
  poslab::data::GivenWeights given{"given", {}};
  const poslab::host::Scheme scheme(cells::plugin("learned"), {}, {D, 2, N});
  std::vector<double> table;
  for (Index i = 0; i < N * D; ++i) table.push_back(std::sin(static_cast<double>(i * i)));
  table[100 * D + 3] = 1e11;
  for (Index c = 0; c < D; ++c) table[static_cast<std::size_t>(200 * D + c)] = table[static_cast<std::size_t>(c)];
  given.arrays.push_back({scheme.weights().front().name, {N, D}, table});
  for (const char* search : {"exact", "sampled"}) {
    CAPTURE(search);
    const Cell cell{"uniqueness", "learned", {{"length", whole(N)}, {"search", Value(search)}}, {}, {D, 2, N}};
    const poslab::data::Values axes = cells::all_axes(cell);
    const poslab::data::Draws draws(1, "uniqueness", "learned", 0);
    Answer answer;
    answer.record = poslab::experiments::find_experiment("uniqueness")
                        .run({scheme, axes, draws, cell.placement, poslab::experiments::unwatched(),
                              poslab::experiments::no_files(), &given});
    const bool all = std::string(search) == "exact";  // of a sample of all rows, the estimates are exact
    CHECK_THAT(answer.scalar(all ? "distinct" : "distinct_estimate"), check::WithinAbs(N - 1, 1e-9));
    CHECK_THAT(answer.scalar(all ? "collisions" : "collisions_estimate"), check::WithinAbs(1, 1e-9));
  }
}
