// SPDX-License-Identifier: Apache-2.0
// Dimension letters: H heads, K head width, N positions.
#include "poslab/base/error.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{64, 512, false};

data::Values parameters(const std::vector<double>& sections, const std::string& style = "half-split") {
  return {{"sections", Value(sections)}, {"style", Value(style)}};
}

Array<double> random_positions(Index N, Index axes) {
  Array<double> out = check::random({N, axes}, "positions");
  for (Index i = 0; i < out.size(); ++i) out.data()[i] = std::round(100 * out.data()[i]) / 4;
  return out;
}

Array<double> rotated(const host::Scheme& scheme, const Array<double>& positions, const Array<double>& x) {
  Array<double> out = x.copy();
  scheme.transform<double>(context, host::Side::query, positions, {}, out);
  return out;
}

// How many planes rotate by time, row and column: those that rotate where only that coordinate is not 0.
std::vector<int> sections_of(const host::Scheme& scheme) {
  const Index K = scheme.model().head_width();
  std::vector<int> counts;
  for (Index axis = 0; axis < 3; ++axis) {
    Array<double> at({1, 3}), x({scheme.model().heads, 1, K});
    at(0, axis) = 1;
    for (Index m = 0; m < K / 2; ++m) x(0, 0, m) = 1;
    const auto out = rotated(scheme, at, x);
    int count = 0;
    for (Index m = 0; m < K / 2; ++m) count += out(0, 0, m + K / 2) != 0;
    counts.push_back(count);
  }
  return counts;
}

}  // namespace

TEST_CASE("m-rope: every plane rotates by its section's coordinate, with the frequency of its index in the head") {
  const bool halves = GENERATE(true, false);
  const std::vector<double> sections = GENERATE(std::vector<double>{1, 4, 2}, std::vector<double>{0, 0, 7});
  const Index H = 2, K = 14, N = 35;
  const auto scheme =
      check::scheme("m-rope", parameters(sections, halves ? "half-split" : "interleaved"), {H * K, H, 512});
  const auto positions = random_positions(N, 3);
  const auto x = check::random({H, N, K}, "x");
  const auto out = rotated(*scheme, positions, x);
  for (Index h = 0; h < H; ++h)
    for (Index n = 0; n < N; ++n)
      for (Index m = 0; m < K / 2; ++m) {
        const auto plane = static_cast<double>(m);
        const Index axis = plane < sections[0] ? 0 : plane < sections[0] + sections[1] ? 1 : 2;
        const double angle = positions(n, axis) * std::pow(1e4, -2 * plane / static_cast<double>(K));
        const Index one = halves ? m : 2 * m, other = halves ? m + K / 2 : 2 * m + 1;
        const double a = x(h, n, one), b = x(h, n, other);
        REQUIRE_THAT(out(h, n, one), check::WithinAbs(a * std::cos(angle) - b * std::sin(angle), 1e-13));
        REQUIRE_THAT(out(h, n, other), check::WithinAbs(b * std::cos(angle) + a * std::sin(angle), 1e-13));
      }
}

TEST_CASE("m-rope: text, with one number or three equal ones, is RoPE to the bit") {
  const auto scheme = check::scheme("m-rope", {}, {32, 2, 512}),
             rope = check::scheme("rope", {{"style", Value(std::string("half-split"))}}, {32, 2, 512});
  const auto text = check::consecutive(40, -7);
  Array<double> thrice({40, 3});
  for (Index n = 0; n < 40; ++n)
    for (Index axis = 0; axis < 3; ++axis) thrice(n, axis) = text(n, 0);
  const auto x = check::random({2, 40, 16}, "x");
  const auto wanted = rotated(*rope, text, x);
  CHECK(check::largest_difference(rotated(*scheme, text, x), wanted) == 0);
  CHECK(check::largest_difference(rotated(*scheme, thrice, x), wanted) == 0);
}

TEST_CASE("m-rope: two numbers are the row and column of an image, at time 0") {
  const auto scheme = check::scheme("m-rope", {}, {32, 2, 512});
  const auto image = random_positions(9, 2);
  Array<double> at_zero({9, 3});
  for (Index n = 0; n < 9; ++n) at_zero(n, 1) = image(n, 0), at_zero(n, 2) = image(n, 1);
  const auto x = check::random({2, 9, 16}, "x");
  CHECK(check::largest_difference(rotated(*scheme, image, x), rotated(*scheme, at_zero, x)) == 0);
}

TEST_CASE("m-rope: sections that are not given are Qwen2-VL's shares") {
  const auto shares = [](Index K) { return sections_of(*check::scheme("m-rope", {}, {K, 1, 512})); };
  CHECK(shares(128) == std::vector<int>{16, 24, 24});
  CHECK(shares(16) == std::vector<int>{2, 3, 3});
  CHECK(shares(8) == std::vector<int>{1, 2, 1});
  CHECK(shares(2) == std::vector<int>{0, 1, 0});
}

TEST_CASE("m-rope: planes that take turns are Qwen3-VL's, and text is RoPE as well") {
  data::Values turns = parameters({2, 1, 1});
  turns.set("order", Value(std::string("interleaved")));
  const auto scheme = check::scheme("m-rope", turns, {8, 1, 512});
  CHECK(sections_of(*scheme) == std::vector<int>{2, 1, 1});
  const auto rope = check::scheme("rope", {{"style", Value(std::string("half-split"))}}, {8, 1, 512});
  const auto text = check::consecutive(12), x = check::random({1, 12, 8}, "x");
  CHECK(check::largest_difference(rotated(*scheme, text, x), rotated(*rope, text, x)) == 0);
  turns.set("sections", Value(std::vector<double>{1, 2, 1}));
  CHECK_THROWS_WITH(check::scheme("m-rope", turns, {8, 1, 512}), check::contains("more than a third each"));
}

TEST_CASE("m-rope: claims, axes, and what is refused") {
  const auto scheme = check::scheme("m-rope", {}, {32, 4, 64});
  for (const poslab_claim claim :
       {POSLAB_ISOMETRY, POSLAB_RELATIVE, POSLAB_CONTENT_FREE, POSLAB_LENGTH_FREE, POSLAB_BOUNDED})
    CHECK(scheme->claims(claim));
  CHECK(scheme->inverse_frequency().size() == 4);
  const auto refused = [](const std::vector<double>& sections, const std::string& words) {
    CHECK_THROWS_WITH(check::scheme("m-rope", parameters(sections), {32, 4, 64}), check::contains(words));
  };
  refused({1, 2, 2}, "sum to the 4 planes of a head of width 8, not to 5");
  refused({2, 2}, "three numbers, planes of time, row and column, not 2");
  refused({1.5, 1.5, 1}, "whole numbers of planes, not 1.5");
  CHECK_THROWS_AS(check::scheme("m-rope", parameters({-1, 3, 2}), {32, 4, 64}), base::Error);
  CHECK_THROWS_WITH(check::scheme("m-rope", {}, {10, 2, 64}), check::contains("channels are rotated in pairs"));
}
