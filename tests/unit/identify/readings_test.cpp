// SPDX-License-Identifier: Apache-2.0
// What a dump leaves open: batches, the order of heads and positions, masks; and what none of it is.
// Dimension letters: B batches, N positions, P planes, H heads, K head width.
#include <limits>

#include "catch.hpp"
#include "dumps.hpp"
#include "observation.hpp"
#include "verdict.hpp"

using namespace poslab;
using namespace dumps;
using identify::BadDump;
using identify::Named;
using identify::Silence;
using identify::Verdict;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Verdict compared_with(const Dump& dump, const Named& expected) {
  return identify::identify(dump, {}, shipped(), expected);
}

// [H, N, N] of a slope for each head.
DumpArray linear_bias(const Numbers& slopes, Index N, double ahead = -infinity) {
  DumpArray bias{"bias", {static_cast<Index>(slopes.size()), N, N}, {}};
  for (const double slope : slopes)
    for (Index i = 0; i < N; ++i)
      for (Index j = 0; j < N; ++j) bias.numbers.push_back(j > i ? ahead : slope * static_cast<double>(j - i));
  return bias;
}
// ALiBi's, of a power of two.
Numbers usual_slopes(Index H) {
  Numbers slopes;
  for (Index h = 0; h < H; ++h) slopes.push_back(std::exp2(-8.0 * static_cast<double>(h + 1) / static_cast<double>(H)));
  return slopes;
}

// Queries [B, N, K] or [B, H, N, K] that are rotated by the index of the second axis from the end.
std::pair<DumpArray, DumpArray> queries(std::vector<Index> shape) {
  const Numbers w = frequencies(shape.back() / 2, 1e4);
  const auto angle = [&](Index n, Index m) { return static_cast<double>(n) * w[static_cast<std::size_t>(m)]; };
  DumpArray flat = drawn("q", shape);
  flat.shape = {static_cast<Index>(flat.numbers.size()) / (shape.back() * shape[shape.size() - 2]),
                shape[shape.size() - 2], shape.back()};
  DumpArray after = rotated("q_rot", flat, true, angle);
  flat.shape = after.shape = shape;
  return {flat, after};
}

DumpArray repeated(DumpArray array, Index times) {
  const Numbers once = array.numbers;
  for (Index b = 1; b < times; ++b) array.numbers.insert(array.numbers.end(), once.begin(), once.end());
  array.shape.insert(array.shape.begin(), times);
  return array;
}

}  // namespace

TEST_CASE("positions of batches are no axes of a position") {
  const Index B = GENERATE(2, 5), N = 6;
  const auto [q, q_rot] = queries({B, 2, N, 8});
  DumpArray positions{"position_ids", {B, N}, {}};
  for (Index b = 0; b < B; ++b)
    for (Index n = 0; n < N; ++n) positions.numbers.push_back(static_cast<double>(n));
  const Verdict verdict = verdict_of({{q, q_rot, positions}});
  CHECK(verdict.kind == Verdict::Kind::certain);
  CHECK(named(verdict) == "rope(style=half-split)");
  positions.numbers.back() = 0;
  CHECK_THROWS_AS(verdict_of({{q, q_rot, positions}}), BadDump);
}

TEST_CASE("batches that differ are refused, and those that do not are one") {
  DumpArray bias = repeated(linear_bias(usual_slopes(8), 6), 2);
  CHECK(named(verdict_of({{bias}})) == "alibi");
  bias.numbers.back() = 3;
  CHECK_THROWS_AS(verdict_of({{bias}}), BadDump);
  const Dump waves = cosines_and_sines(20, frequencies(8, 1e4));
  DumpArray cosines = repeated(waves.arrays[0], 2), sines = repeated(waves.arrays[1], 2);
  CHECK(named(verdict_of({{cosines, sines}})) == "rope");
  sines.numbers.back() += 0.5;
  CHECK_THROWS_AS(verdict_of({{cosines, sines}}), BadDump);
}

TEST_CASE("where heads and positions may be exchanged, it says how they were read, and expects heads first") {
  const Named rope{"rope", {{"style", std::string("half-split")}}};
  const auto [q, q_rot] = queries({1, 3, 8, 8});
  const Verdict usual = compared_with({{q, q_rot}}, rope);
  CHECK(usual.is_silent_of(Silence::Kind::layout));
  CHECK(usual.succeeds());
  // Rotated along the heads: as if they were positions, and positions heads.
  DumpArray x{"q", {1, 8, 3, 8}, {}}, y{"q_rot", {1, 8, 3, 8}, {}};
  for (Index n = 0; n < 8; ++n)
    for (Index h = 0; h < 3; ++h)
      for (Index k = 0; k < 8; ++k) {
        x.numbers.push_back(q.numbers[static_cast<std::size_t>((h * 8 + n) * 8 + k)]);
        y.numbers.push_back(q_rot.numbers[static_cast<std::size_t>((h * 8 + n) * 8 + k)]);
      }
  const Verdict other = compared_with({{x, y}}, rope);
  CHECK(other.layout == "[B, N, H, K]");
  REQUIRE(other.expected);
  CHECK(other.expected->by_other_layout);
  CHECK_FALSE(other.succeeds());
  const DumpArray positions{"positions", {8}, {0, 1, 2, 3, 4, 5, 6, 7}};
  const Verdict settled = compared_with({{x, y, positions}}, rope);
  CHECK(settled.succeeds());
  CHECK_FALSE(settled.is_silent_of(Silence::Kind::layout));
}

TEST_CASE("heads of odd width have no cosines for another pairing") {
  for (const Index K : {1, 3, 9}) {
    const auto one = identify::observe_rotated({"q_rot", "q and q_rot"}, host::Side::query,
                                               {1, 1, 2, K, Numbers(2 * K, 1.0)}, {1, 1, 2, K, Numbers(2 * K, 0.5)});
    CHECK(one->with_layout_exchanged() == nullptr);
  }
}

TEST_CASE("a mask is minus infinity or one low number, and nothing else is left out") {
  CHECK_THROWS_AS(verdict_of({{{"bias", {4, 4, 4}, Numbers(64, -1e9)}}}), BadDump);
  CHECK_THROWS_AS(verdict_of({{{"bias", {4, 4, 4}, Numbers(64, infinity)}}}), BadDump);
  const Verdict masked = verdict_of({{linear_bias(usual_slopes(8), 6, -65504)}});
  CHECK(named(masked) == "alibi");
  REQUIRE(masked.is_silent_of(Silence::Kind::masked));
  for (const Silence& silence : masked.silences)
    if (silence.kind == Silence::Kind::masked) CHECK(silence.numbers == 8 * 15);
  // One query that sees so far that ALiBi is below what may be a mask; one of these numbers is off.
  constexpr Index N = 21000;
  DumpArray far{"bias", {2, 1, N}, {}};
  for (const double slope : {0.0625, 1.0})
    for (Index j = 0; j < N; ++j) far.numbers.push_back(slope * static_cast<double>(j - (N - 1)));
  const auto read = identify::readings({{far}}, {});
  CHECK(read.front().masked == 0);
  CHECK_FALSE(identify::fit_of({"alibi", {}}, read.front(), shipped()).inside);
}

TEST_CASE("position 0 alone says nothing, whatever was expected") {
  DumpArray q = drawn("q", {2, 1, 8}), q_rot = q;
  q_rot.name = "q_rot";
  const Verdict verdict = compared_with({{q, q_rot}}, {"rope", {{"base", 5e5}}});
  CHECK(verdict.is_silent_of(Silence::Kind::one_place));
  CHECK_FALSE(verdict.succeeds());
  CHECK_FALSE(verdict_of({{q, q_rot}}).succeeds());
  // At another position something would have been rotated.
  const Verdict seven = compared_with({{q, q_rot, {"positions", {1}, {7}}}}, {"rope", {}});
  CHECK(named(seven) == "none");
  CHECK_FALSE(seven.is_silent_of(Silence::Kind::one_place));
  CHECK_FALSE(seven.succeeds());
}

TEST_CASE("what a scheme refuses cannot be compared, and says why") {
  const auto read = identify::readings(cosines_and_sines(20, frequencies(8, 1e4)), {});
  const auto one = identify::fit_of({"rope", {{"scaling", std::string("yarn")}}}, read.front(), shipped());
  CHECK_THAT(one.refusal, check::contains("factor"));
  CHECK_FALSE(one.holds());
  CHECK_THAT(identify::fit_of({"alibi", {}}, read.front(), shipped()).refusal, check::contains("kind"));
}

TEST_CASE("what needs no mask is not as expected where keys after the query are others") {
  const Named symmetric{"alibi", {{"form", std::string("symmetric")}}};
  DumpArray bias{"bias", {4, 6, 6}, {}}, absolute = bias;
  for (const double slope : usual_slopes(4))
    for (Index i = 0; i < 6; ++i)
      for (Index j = 0; j < 6; ++j) {
        bias.numbers.push_back(slope * static_cast<double>(j - i));
        absolute.numbers.push_back(-slope * static_cast<double>(std::abs(j - i)));
      }
  const Verdict wrong = compared_with({{bias}}, symmetric);
  CHECK(wrong.expected->inside);
  CHECK(wrong.expected->by_keys_before);
  CHECK_FALSE(wrong.succeeds());
  CHECK(compared_with({{bias}}, {"alibi", {}}).succeeds());
  CHECK(compared_with({{absolute}}, symmetric).succeeds());
  const Verdict masked = compared_with({{absolute}}, {"alibi", {}});  // which always is
  CHECK(masked.succeeds());
  CHECK(masked.kind == Verdict::Kind::certain);
  CHECK(compared_with({{linear_bias(usual_slopes(4), 6)}}, symmetric).succeeds());
}

TEST_CASE("of two arrays without names, before and after, only an order that somebody chose says which is which") {
  auto [before, after] = queries({2, 12, 8});
  before.name = "pre", after.name = "post";
  identify::Request request;
  request.kind = identify::Kind::rotated;
  CHECK(named(verdict_of({{before, after}, true}, request)) == "rope(style=half-split)");
  CHECK_THROWS_WITH(verdict_of({{after, before}}, request), check::contains("--as NAME=before"));
  request.as = {{"pre", "before"}, {"post", "after"}};
  CHECK(named(verdict_of({{after, before}}, request)) == "rope(style=half-split)");
}

TEST_CASE("an array is called by its whole name, whatever is in that") {
  Dump dump = cosines_and_sines(20, frequencies(8, 1e4));
  dump.arrays[1] = {"inv [freq", {8}, frequencies(8, 1e4)};
  dump.arrays[1].numbers[3] *= 1.01;
  identify::Request request;
  request.as = {{"inv [freq", "frequencies"}};
  const Verdict verdict = verdict_of(dump, request);
  REQUIRE(verdict.named);
  REQUIRE(verdict.named->departs);
  CHECK(verdict.named->departs->array == "inv [freq");
}

TEST_CASE("logits that are not scaled are not as expected") {
  constexpr Index N = 8, K = 8;
  const auto [q, q_rot] = queries({2, N, K});
  DumpArray k = drawn("k", {2, N, K}, 3), logits{"logits", {2, N, N}, {}};
  const Numbers w = frequencies(K / 2, 1e4);
  const DumpArray k_rot =
      rotated("", k, true, [&](Index n, Index m) { return static_cast<double>(n) * w[static_cast<std::size_t>(m)]; });
  const double scale = GENERATE(1.0, 0.35355339059327373);
  for (Index h = 0; h < 2; ++h)
    for (Index i = 0; i < N; ++i)
      for (Index j = 0; j < N; ++j) {
        double sum = 0;
        for (Index c = 0; c < K; ++c)
          sum += q_rot.numbers[static_cast<std::size_t>((h * N + i) * K + c)] *
                 k_rot.numbers[static_cast<std::size_t>((h * N + j) * K + c)];
        logits.numbers.push_back(single(scale * sum));
      }
  const Named rope{"rope", {{"style", std::string("half-split")}}};
  int fitting = 0;
  for (const identify::Evidence& evidence : identify::readings({{q, k, logits}}, {}))
    if (const identify::Expected one = identify::fit_of(rope, evidence, shipped()); one.inside) {
      ++fitting;
      CHECK(one.slip.has_value() == (scale == 1));
      CHECK(one.holds() == (scale != 1));
    }
  CHECK(fitting > 0);
}

TEST_CASE("a bias of which only offsets are known is nobody's by name") {
  constexpr Index H = 3, N = 24;
  const DumpArray numbers = drawn("", {H, 2 * N});
  DumpArray bias{"bias", {H, N, N}, {}};
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < N; ++i)
      for (Index j = 0; j < N; ++j)
        bias.numbers.push_back(numbers.numbers[static_cast<std::size_t>(h * 2 * N + std::max<Index>(0, i - j))]);
  const Verdict verdict = compared_with({{bias}}, {"t5", {{"buckets", std::int64_t{128}}}});
  CHECK(verdict.kind == Verdict::Kind::offsets);
  CHECK_FALSE(verdict.named);
  REQUIRE(verdict.expected);
  CHECK(verdict.expected->by_any_numbers);
  CHECK_FALSE(verdict.succeeds());
}

TEST_CASE("KERPLE's powers are fewer numbers than one for each offset") {
  DumpArray bias{"bias", {2, 24, 24}, {}};
  const Numbers factors{0.3, 0.2}, powers{0.6, 1.9};
  for (std::size_t h = 0; h < 2; ++h)
    for (Index i = 0; i < 24; ++i)
      for (Index j = 0; j < 24; ++j)
        bias.numbers.push_back(j > i ? -infinity
                                     : single(-factors[h] * std::pow(static_cast<double>(i - j), powers[h])));
  const Verdict verdict = verdict_of({{bias}});
  CHECK(verdict.kind == Verdict::Kind::structure);
  CHECK(named(verdict).starts_with("kerple(form=power"));
}

TEST_CASE("rows of a bias that are all the same are counted from their first key") {
  DumpArray bias{"bias", {8, 6, 6}, {}};
  for (const double slope : usual_slopes(8))
    for (Index i = 0; i < 36; ++i) bias.numbers.push_back(slope * static_cast<double>(i % 6));
  CHECK(named(verdict_of({{bias}})) == "alibi");
}
