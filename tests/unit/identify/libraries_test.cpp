// SPDX-License-Identifier: Apache-2.0
// What the code of model libraries does and papers do not say (tests/peers/peers.md), by formula and small.
// Dimension letters: N positions, P planes, H heads, K head width, R rotated channels.
#include <algorithm>

#include "catch.hpp"
#include "dumps.hpp"

using namespace poslab;
using namespace dumps;
using identify::Named;
using identify::Precision;
using identify::Slip;
using identify::Verdict;

namespace {

Verdict expecting(const Dump& dump, const Named& expected, const identify::Request& request = {}) {
  return identify::identify(dump, request, shipped(), expected);
}
bool is_one_of(const std::vector<Named>& all, const std::string& text) {
  return std::any_of(all.begin(), all.end(), [&](const Named& one) { return one.text() == text; });
}

// [H, 1, N]: what the last query sees.
DumpArray falling(const Numbers& slopes, Index N, double (*stored)(double)) {
  DumpArray bias{"bias", {static_cast<Index>(slopes.size()), 1, N}, {}};
  for (const double slope : slopes)
    for (Index j = 0; j < N; ++j) bias.numbers.push_back(stored(slope * static_cast<double>(j)));
  return bias;
}

// Cosines and sines of angles that a program has made of p and w, [N, P].
Dump waves_of(const Numbers& positions, const Numbers& w, double (*angle)(double p, double w)) {
  const auto N = static_cast<Index>(positions.size()), P = static_cast<Index>(w.size());
  Dump dump{{{"cos", {N, P}, {}}, {"sin", {N, P}, {}}, {"position_ids", {N}, positions}}};
  for (const double p : positions)
    for (const double x : w) {
      dump.arrays[0].numbers.push_back(single(std::cos(angle(p, x))));
      dump.arrays[1].numbers.push_back(single(std::sin(angle(p, x))));
    }
  return dump;
}
Numbers steps(Index N, double step) {
  Numbers positions;
  for (Index n = 0; n < N; ++n) positions.push_back(step * static_cast<double>(n));
  return positions;
}

}  // namespace

TEST_CASE("Qwen 3.5: a part of a head rotates, and its planes take turns among three axes") {
  constexpr Index N = 16, K = 96, R = 64, P = R / 2;
  const Numbers w = frequencies(P, 1e7);
  DumpArray q = drawn("q", {1, N, K}), rotated_part{"", {1, N, R}, {}}, positions{"position_ids", {N, 3}, {}};
  const auto position = [](Index n, Index axis) {
    return static_cast<double>(axis == 0 ? n : axis == 1 ? 3 * n : 31 - n);
  };
  for (Index n = 0; n < N; ++n) {
    for (Index axis = 0; axis < 3; ++axis) positions.numbers.push_back(position(n, axis));
    const auto row = q.numbers.begin() + n * K;
    rotated_part.numbers.insert(rotated_part.numbers.end(), row, row + R);
  }
  // 11 planes of time, 11 of rows, 10 of columns.
  const auto axis_of = [](Index m) { return m % 3 == 1 ? 1 : m % 3 == 2 && m < 30 ? 2 : 0; };
  const DumpArray after = rotated("", rotated_part, true, [&](Index n, Index m) {
    return position(n, axis_of(m)) * w[static_cast<std::size_t>(m)];
  });
  DumpArray q_rot = q;
  q_rot.name = "q_rot";
  for (Index n = 0; n < N; ++n) std::copy_n(after.numbers.begin() + n * R, R, q_rot.numbers.begin() + n * K);
  const Verdict verdict = verdict_of({{q, q_rot, positions}});
  CHECK(verdict.kind == Verdict::Kind::certain);
  CHECK(named(verdict) == "m-rope(base=10000000, sections=[11, 11, 10], order=interleaved, rotary_width=64)");
}

TEST_CASE("longrope's lists are named by their form, those that begin with ones, too") {
  Numbers w = frequencies(16, 1e4);
  for (std::size_t m = 0; m < w.size(); ++m) w[m] /= m < 4 ? 1 : 1 + static_cast<double>(m * m) / 40;
  const Verdict verdict = verdict_of(cosines_and_sines(48, w));
  CHECK(verdict.kind == Verdict::Kind::structure);
  CHECK(named(verdict).starts_with("rope(scaling=longrope"));
}

TEST_CASE("a base that nobody uses is rope's before it is that of a scheme that does more") {
  for (const double base : {777.77, 12345.6, 33333.3, 87654.3})
    for (const Index N : {40, 300}) {
      CAPTURE(base, N);
      const Verdict verdict = verdict_of(cosines_and_sines(N, frequencies(16, base)));
      REQUIRE(verdict.named);
      CHECK(verdict.named->named.scheme == "rope");
      CHECK(verdict.named->named.parameters.real("base") == Approx(base).epsilon(1e-4));
      // Its own numbers serve the schemes that are the same then, and not one that is so with more numbers.
      CHECK(is_one_of(verdict.equals, "value-rope" + named(verdict).substr(4)));
      for (const identify::Fit& other : verdict.others) CHECK(other.named.scheme != "xpos");
      for (const identify::Silence& silence : verdict.silences) CHECK(silence.parameter != "base");
    }
  CHECK(verdict_of(cosines_and_sines(300, frequencies(16, 5e4))).kind == Verdict::Kind::certain);  // Command A's
}

TEST_CASE("layers that do not rotate are none, and what was expected of queries may be so, too") {
  const DumpArray q = drawn("q", {2, 24, 16});
  DumpArray same = q;
  same.name = "q_rot";
  const Verdict verdict = expecting({{q, same}}, {"alibi", {}});
  CHECK(verdict.kind == Verdict::Kind::certain);
  CHECK(named(verdict) == "none");
  REQUIRE(verdict.slip);
  CHECK(verdict.slip->kind == Slip::Kind::not_at_all);
  REQUIRE(verdict.expected);
  CHECK(verdict.expected->inside);
  CHECK_FALSE(expecting({{q, same}}, {"rope", {}}).succeeds());
}

TEST_CASE("an array called table is a weight beside a bias, and beside rows of it") {
  constexpr Index N = 12, H = 2;
  const DumpArray table = drawn("table", {32, H});
  DumpArray bias{"bias", {H, N, N}, {}};  // T5's decoder: so near the query every offset has its bucket
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < N; ++i)
      for (Index j = 0; j < N; ++j)
        bias.numbers.push_back(table.numbers[static_cast<std::size_t>(std::max<Index>(0, i - j) * H + h)]);
  const Verdict verdict = verdict_of({{bias, table}});
  CHECK(named(verdict).starts_with("t5"));
  CHECK(verdict.kind != Verdict::Kind::nothing);
  CHECK(verdict.kind != Verdict::Kind::structure);
  const DumpArray learned = drawn("table", {40, 8});  // OPT: its first rows are of no position
  const DumpArray rows{"pe", {10, 8}, {learned.numbers.begin() + 16, learned.numbers.begin() + 96}};
  CHECK(named(verdict_of({{rows, learned}})) == "learned(max_length=38, row_offset=2)");
}

TEST_CASE("Falcon rounds the slopes of ALiBi, which stays ALiBi") {
  Numbers slopes;
  for (Index h = 0; h < 12; ++h)
    slopes.push_back(
        half(h < 8 ? std::exp2(-static_cast<double>(h) - 1) : std::exp2(-static_cast<double>(h - 8) - 0.5)));
  const Verdict products = verdict_of({{falling(slopes, 64, half)}});
  CHECK(products.kind == Verdict::Kind::certain);
  CHECK(named(products) == "alibi");
  const Verdict verdict = verdict_of({{falling(slopes, 64, single)}});
  CHECK(named(verdict) == "alibi");
  REQUIRE(verdict.named);
  CHECK(verdict.named->precision.angles == Precision::Angles::slopes);
  CHECK(std::string(verdict.named->precision.format) == "bfloat16");
}

TEST_CASE("16 bits are seen in positions, far from each other, and at far positions") {
  const auto stage_of = [](const Verdict& verdict) {
    CHECK(named(verdict) == "rope");
    return verdict.named ? verdict.named->precision.angles : Precision::Angles::float64;
  };
  const auto w = frequencies(16, 1e4);
  CHECK(stage_of(verdict_of(waves_of(steps(600, 7), w, [](double p, double x) {
          return single(half(p) * single(x));
        }))) == Precision::Angles::positions);
  CHECK(stage_of(verdict_of(waves_of(steps(40, 100), w, [](double p, double x) { return single(p * half(x)); }))) ==
        Precision::Angles::frequencies);
  CHECK(stage_of(verdict_of(waves_of(steps(40, 100), w, [](double p, double x) {
          return half(single(p * single(x)));
        }))) == Precision::Angles::angles);
}

namespace {

// For 32 planes, as model libraries work them out (Peng et al. 2023, arXiv:2309.00071, section 3.2).
Numbers yarn_frequencies(double base, double factor, double length) {
  Numbers w = frequencies(32, base);
  const auto plane = [&](double rotations) {
    return 64 * std::log(length / (rotations * 2 * M_PI)) / (2 * std::log(base));
  };
  const double low = std::floor(plane(32)), high = std::ceil(plane(1));
  for (std::size_t m = 0; m < w.size(); ++m) {
    const double slow = std::clamp((static_cast<double>(m) - low) / (high - low), 0.0, 1.0);
    w[m] = w[m] * (1 - slow) + w[m] / factor * slow;
  }
  return w;
}

}  // namespace

TEST_CASE("DeepSeek: 64 channels of a head of 192 rotate, the last or the first, by YaRN that stretches them") {
  constexpr Index N = 32, K = 192, rotating = 64;
  const Numbers w = yarn_frequencies(1e4, 40, 4096);
  DumpArray positions{"positions", {N}, {}};
  for (Index n = 0; n < N; ++n) positions.numbers.push_back(static_cast<double>(n < 16 ? n : 10000 * (n - 15)));
  const bool is_last = GENERATE(true, false);
  const double stretch = 0.1 * std::log(40.0) + 1;
  CAPTURE(is_last);
  const Index first = is_last ? K - rotating : 0;
  const DumpArray q = drawn("q", {1, N, K});
  DumpArray q_rot{"q_rot", q.shape, q.numbers};
  for (Index row = 0; row < N; ++row)
    for (Index m = 0; m < rotating / 2; ++m) {
      const auto a = static_cast<std::size_t>(row * K + first + 2 * m);
      const double angle = positions.numbers[static_cast<std::size_t>(row)] * w[static_cast<std::size_t>(m)];
      const double c = stretch * std::cos(angle), s = stretch * std::sin(angle);
      q_rot.numbers[a] = single(q.numbers[a] * c - q.numbers[a + 1] * s);
      q_rot.numbers[a + 1] = single(q.numbers[a + 1] * c + q.numbers[a] * s);
    }
  const Verdict verdict = verdict_of({{q, q_rot, positions}});
  REQUIRE(verdict.named);
  CHECK(verdict.named->inside);
  CHECK_THAT(named(verdict), check::contains(is_last ? "rotary_width=64, rotary_part=last, scaling=yarn, factor=40"
                                                     : "rotary_width=64, scaling=yarn, factor=40"));
}

TEST_CASE("gpt-oss: YaRN of one length is YaRN before it is one that would change with the length") {
  const double factor = 32, L = 4096;
  const Numbers w = yarn_frequencies(150000, factor, L);
  identify::Request request;
  request.length = static_cast<Index>(factor * L);
  const Verdict verdict = identify::identify(cosines_and_sines(300, w, 0.1 * std::log(factor) + 1), request, shipped());
  CHECK(named(verdict).starts_with("rope(base=150000, scaling=yarn, factor=32"));
  CHECK(std::any_of(verdict.equals.begin(), verdict.equals.end(),
                    [](const Named& one) { return one.text().find("scaling=dynamic-yarn") != std::string::npos; }));
}

TEST_CASE("Llama 4: queries of layers that do not rotate grow with the logarithm of the position") {
  constexpr Index N = 20, K = 8;
  const DumpArray q = drawn("q", {2, N, K});
  DumpArray q_rot = q, positions{"position_ids", {N}, {}};
  q_rot.name = "q_rot";
  for (Index n = 0; n < N; ++n) {
    const double p = static_cast<double>(n) * 1500, factor = 1 + 0.1 * std::log(1 + std::floor((p + 1) / 8192));
    positions.numbers.push_back(p);
    for (const Index h : {0, 1})
      for (Index k = 0; k < K; ++k) {
        double& x = q_rot.numbers[static_cast<std::size_t>((h * N + n) * K + k)];
        x = single(x * factor);
      }
  }
  CHECK(named(verdict_of({{q, q_rot, positions}})).starts_with("query-temperature"));
}
