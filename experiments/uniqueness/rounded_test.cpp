// SPDX-License-Identifier: Apache-2.0
// Codes in fewer bits, offsets in nats, positions of equal tokens: known answers, and a second way to the same numbers.
// Dimension letters: N positions, H heads.
#include <cmath>
#include <set>

#include "catch.hpp"
#include "cells.hpp"

#include "poslab/data/draws.hpp"
#include "poslab/numerics/format.hpp"

namespace {

using cells::Answer;
using cells::Cell;
using cells::Index;
using poslab::base::Array;
using poslab::data::Value;

using cells::whole;

// Eight bits of significand, by arithmetic: ties to even is what nearbyint does.
double in_eight_bits(double x) {
  if (x == 0) return 0;
  int exponent = 0;
  std::frexp(static_cast<float>(x), &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(static_cast<double>(static_cast<float>(x)), 8 - exponent)), exponent - 8);
}

}  // namespace

TEST_CASE("bfloat16 has eight bits of significand, ties to even") {
  using poslab::numerics::to_bfloat16;
  CHECK(to_bfloat16(1.0f) == 1.0f);
  CHECK(to_bfloat16(257.0f) == 256.0f);  // a tie, down
  CHECK(to_bfloat16(259.0f) == 260.0f);  // a tie, up
  CHECK(to_bfloat16(257.01f) == 258.0f);
  CHECK(to_bfloat16(-259.0f) == -260.0f);
  CHECK(std::isinf(to_bfloat16(3.4e38f)));
  CHECK(std::isnan(to_bfloat16(std::nanf(""))));
  for (int i = 0; i < 1000; ++i) {
    const double x = std::sin(i) * std::exp2(i % 20);
    REQUIRE(static_cast<double>(to_bfloat16(static_cast<float>(x))) == in_eight_bits(x));
  }
}

TEST_CASE("uniqueness: codes in bfloat16, counted one by one: the index beyond 256, ALiBi") {
  // One channel p: bfloat16 has every whole number up to 256, every second up to 512, every fourth up to 1000.
  const Answer index = cells::run({"uniqueness", "index", {{"length", whole(1001)}}, {}, {16, 2, 1001}});
  std::set<double> different;
  for (int p = 0; p <= 1000; ++p) different.insert(in_eight_bits(p));
  CHECK(index.scalar("distinct_bfloat16") == static_cast<double>(different.size()));
  CHECK(different.size() == 257 + 128 + 122);
  CHECK(index.scalar("distinct_float32") == 1001);
  CHECK(index.scalar("distinct") == 1001);

  const Answer alibi = cells::run({"uniqueness", "alibi", {{"length", whole(700)}}});
  std::set<std::vector<double>> rows;
  for (int r = 0; r < 700; ++r) {
    std::vector<double> row;
    for (int h = 1; h <= 8; ++h) row.push_back(in_eight_bits(-std::exp2(-h) * r));
    rows.insert(row);
  }
  CHECK(alibi.scalar("distinct_bfloat16") == static_cast<double>(rows.size()));
}

TEST_CASE("uniqueness of nothing has one code in any format, and no left and right to tell apart") {
  const Answer answer = cells::run({"uniqueness", "none", {{"length", whole(9)}, {"offsets", Value("both")}}});
  CHECK(answer.scalar("distinct_float32") == 1);
  CHECK(answer.scalar("distinct_bfloat16") == 1);
  CHECK(answer.scalar("mirror_distance") == 0);
  CHECK(answer.scalar("norm") == 0);
  CHECK(answer.scalar("distinct") == 1);
}

TEST_CASE("uniqueness of the sandwich: 171 of 256 codes are left in bfloat16") {
  const Answer answer = cells::run({"uniqueness", "sandwich", {{"length", whole(256)}}});
  CHECK(answer.scalar("distinct") == 256);
  CHECK(answer.scalar("distinct_float32") == 256);
  CHECK(answer.scalar("distinct_bfloat16") == 171);
}

TEST_CASE("uniqueness of offsets in nats: what a logit of ALiBi changes by, rms over heads, none where values change") {
  double squared = 0;
  for (int h = 1; h <= 8; ++h) squared += std::exp2(-2.0 * h);
  CHECK(cells::run({"uniqueness", "alibi", {{"length", whole(100)}}}).scalar("min_distance_nats") ==
        check::Approx(std::sqrt(squared / 8)).epsilon(1e-13));
  CHECK(cells::run({"uniqueness", "t5", {{"length", whole(100)}}}).scalar("min_distance_nats") == 0);
  CHECK_FALSE(cells::run({"uniqueness", "rope", {{"length", whole(100)}}}).has("min_distance_nats"));
  CHECK_FALSE(cells::run({"uniqueness", "shaw", {{"length", whole(100)}}}).has("min_distance_nats"));
}

TEST_CASE("uniqueness of equal tokens: Self-Extend's groups, ReRoPE's window, FoX's decay") {
  const cells::Values axes{{"length", whole(256)}, {"contents", whole(3)}};
  // Distances 0 .. 15, then groups of 4.
  const Answer groups =
      cells::run({"uniqueness", "self-extend", axes, {{"window", whole(16)}, {"group", whole(4)}}, {32, 2, 256}});
  CHECK(groups.scalar("distinct_positions") == 16 + 240 / 4.0);
  CHECK(groups.scalar("told_apart") == check::Approx(1 - 60 * 6 / (256.0 * 255 / 2)).epsilon(1e-12));
  // Distances 0 .. 15, and all the others.
  const Answer window = cells::run({"uniqueness", "rerope", axes, {{"window", whole(16)}}, {32, 2, 256}});
  CHECK(window.scalar("distinct_positions") == 17);
  CHECK(window.scalar("told_apart") == check::Approx(1 - 240.0 * 239 / (256 * 255)).epsilon(1e-12));
  const Answer decay = cells::run({"uniqueness", "fox", axes, {}, {32, 2, 256}});
  CHECK(decay.scalar("distinct_positions") == 256);
  CHECK(decay.scalar("told_apart") == 1);
  CHECK_FALSE(decay.has("distinct"));
}

TEST_CASE("uniqueness of equal tokens in CoPE, by plain loops: gates add up, and stop at the last row of its table") {
  const Index N = 90, D = 12, H = 2, K = 6;
  const Cell cell{"uniqueness",
                  "cope",
                  {{"length", whole(N)}, {"contents", whole(4)}},
                  {{"max_positions", whole(20)}, {"init_std", Value(0.5)}},
                  {D, H, N}};
  const Answer answer = cells::run(cell);
  const poslab::data::Draws draws(20261121, "uniqueness", "cope", 0);
  const Array<double> tokens = draws.normal("token", {4, D});
  double distinct = 0;
  for (Index c = 0; c < 4; ++c) {
    // The position of the key at distance r is min((r + 1) g, 19), g the gate of the token with itself in that head.
    std::set<std::vector<double>> codes;
    for (Index r = 0; r < N; ++r) {
      std::vector<double> code;
      for (Index h = 0; h < H; ++h) {
        double product = 0;
        for (Index k = 0; k < K; ++k) product += tokens(c, h * K + k) * tokens(c, h * K + k);
        const double gate = 1 / (1 + std::exp(-product / std::sqrt(static_cast<double>(K))));
        code.push_back(std::min(static_cast<double>(r + 1) * gate, 19.0));
      }
      codes.insert(code);
    }
    distinct += static_cast<double>(codes.size()) / 4;
  }
  CHECK(answer.scalar("distinct_positions") == check::Approx(distinct).epsilon(1e-12));
}

TEST_CASE(
    "uniqueness: who asks for codes of positions or offsets of what looks at contents is told why there are none") {
  const std::string kind = GENERATE("position", "offset");
  CHECK_THAT(cells::run({"uniqueness", "cope", {{"kind", Value(kind)}}}).skip,
             check::contains("depends on the content"));
}
