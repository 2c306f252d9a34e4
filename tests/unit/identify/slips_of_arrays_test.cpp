// SPDX-License-Identifier: Apache-2.0
// Slips of one array of several, of heads and of rows, and those within a base.
// Dimension letters: N positions, P planes, H heads, K head width.
#include <algorithm>
#include <limits>

#include "catch.hpp"
#include "dumps.hpp"

using namespace poslab;
using namespace dumps;
using identify::Precision;
using identify::Slip;
using identify::Verdict;

namespace {

void is_slip(const Verdict& verdict, Slip::Kind kind, double amount, const std::string& array = "") {
  CHECK_FALSE(verdict.succeeds());
  REQUIRE(verdict.slip);
  CHECK(verdict.slip->kind == kind);
  CHECK(verdict.slip->amount == amount);
  CHECK(verdict.slip->array == array);
}

// ALiBi's of 12 heads, in the order of the paper.
Numbers slopes_of_12() {
  Numbers slopes;
  for (int h = 0; h < 12; ++h) slopes.push_back(std::exp2(h < 8 ? -h - 1 : -(h - 8) - 0.5));
  return slopes;
}
Dump of_slopes(const Numbers& slopes, double constant = 0) {
  constexpr Index N = 12;
  Dump dump{{{"bias", {static_cast<Index>(slopes.size()), N, N}, {}}}};
  for (const double slope : slopes)
    for (Index i = 0; i < N; ++i)
      for (Index j = 0; j < N; ++j)
        dump.arrays[0].numbers.push_back(j > i ? -std::numeric_limits<double>::infinity()
                                               : slope * (static_cast<double>(j - i) + constant));
  return dump;
}

DumpArray rotated_at(const std::string& name, const DumpArray& x, Index first) {
  const Numbers w = frequencies(x.shape[2] / 2, 1e4);
  return rotated(name, x, false,
                 [&](Index n, Index m) { return static_cast<double>(n + first) * w[static_cast<std::size_t>(m)]; });
}

}  // namespace

TEST_CASE("one array of several is off: it says which, and by what") {
  const DumpArray q = drawn("q", {2, 24, 16}), k = drawn("k", {2, 24, 16}, 2);
  const DumpArray q_rot = rotated_at("q_rot", q, 0);
  const Verdict later = verdict_of({{q, q_rot, k, rotated_at("k_rot", k, 1)}});
  is_slip(later, Slip::Kind::off_by_one, 1, "k_rot");
  REQUIRE(later.named);
  REQUIRE(later.named->departs);
  CHECK(later.named->departs->array == "k_rot");
  DumpArray same = k;
  same.name = "k_rot";
  is_slip(verdict_of({{q, q_rot, k, same}}), Slip::Kind::not_at_all, 0, "k_rot");
}

TEST_CASE("ALiBi's heads in another order, and its rows off by a constant") {
  Numbers slopes = slopes_of_12();
  std::sort(slopes.rbegin(), slopes.rend());
  const Verdict sorted = verdict_of(of_slopes(slopes));
  is_slip(sorted, Slip::Kind::heads_exchanged, 0);
  REQUIRE(sorted.slipped);
  CHECK(sorted.slipped->named.text() == "alibi");
  const Verdict exclusive = verdict_of(of_slopes(slopes_of_12(), 1));
  is_slip(exclusive, Slip::Kind::constant, 0);
  REQUIRE(exclusive.slipped);
  CHECK(exclusive.slipped->named.text() == "alibi");
}

TEST_CASE("a base that is nearly one in use is no power of it") {
  const Verdict verdict = verdict_of(cosines_and_sines(300, frequencies(16, 10001)));
  CHECK(named(verdict) == "rope(base=10001)");
  REQUIRE(verdict.slip);
  CHECK(verdict.slip->kind == Slip::Kind::nearly);
  CHECK(verdict.slip->amount == 1e4);
}

TEST_CASE("the exponent of a sinusoid taken twice") {
  Dump dump{{{"pe", {40, 16}, {}}}};
  for (Index n = 0; n < 40; ++n)
    for (Index c = 0; c < 16; ++c) {
      const Index pair = c / 2;
      const double angle = static_cast<double>(n) / std::pow(1e4, 2 * 2.0 * static_cast<double>(pair) / 16);
      dump.arrays[0].numbers.push_back(c % 2 ? std::cos(angle) : std::sin(angle));
    }
  const Verdict verdict = verdict_of(dump);
  CHECK(named(verdict) == "sinusoidal(base=100000000)");
  REQUIRE(verdict.slip);
  CHECK(verdict.slip->kind == Slip::Kind::wrong_width);
  CHECK(verdict.slip->amount == 0.5);
}

TEST_CASE("T5's buckets by rounding, where they should be truncated, beside its table") {
  constexpr Index H = 2, N = 100;
  const DumpArray table = drawn("table", {32, H});
  // Raffel et al. 2020, of a decoder: sixteen buckets of one offset each, and sixteen by the logarithm.
  const auto bucket = [](Index back) {
    const double far = std::round(std::log(static_cast<double>(back) / 16) / std::log(128.0 / 16) * 16);
    return back < 16 ? back : std::min<Index>(31, 16 + static_cast<Index>(far));
  };
  DumpArray bias{"bias", {H, N, N}, {}};
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < N; ++i)
      for (Index j = 0; j < N; ++j)
        bias.numbers.push_back(table.numbers[static_cast<std::size_t>(bucket(std::max<Index>(0, i - j)) * H + h)]);
  const Verdict verdict = verdict_of({{bias, table}});
  REQUIRE(verdict.slip);
  CHECK(verdict.slip->kind == Slip::Kind::bucket_edge);
  REQUIRE(verdict.slipped);
  CHECK(verdict.slipped->named.text() == "t5");
}

TEST_CASE("cosines and sines in 16 bits are seen at positions at which float32 has errors of its own") {
  constexpr Index N = 32, K = 32, P = K / 2;
  const double step = GENERATE(20, 331);
  const auto table = [&](Index n, Index m, double (*f)(double)) {
    const double w = single(std::pow(1e4, -2.0 * static_cast<double>(m) / static_cast<double>(K)));
    return half(single(f(single(step * static_cast<double>(n) * w))));
  };
  const DumpArray q = drawn("q", {2, N, K});
  DumpArray q_rot{"q_rot", q.shape, q.numbers}, positions{"positions", {N}, {}};
  for (Index n = 0; n < N; ++n) positions.numbers.push_back(step * static_cast<double>(n));
  for (Index hn = 0; hn < 2 * N; ++hn)
    for (Index m = 0; m < P; ++m) {
      const double c = table(hn % N, m, cosine), s = table(hn % N, m, sine);
      const auto a = static_cast<std::size_t>(hn * K + m), b = a + static_cast<std::size_t>(P);
      q_rot.numbers[a] = single(q.numbers[a] * c - q.numbers[b] * s);
      q_rot.numbers[b] = single(q.numbers[b] * c + q.numbers[a] * s);
    }
  const Verdict verdict = verdict_of({{q, q_rot, positions}});
  CHECK(named(verdict) == "rope(style=half-split)");
  REQUIRE(verdict.named);
  CHECK(verdict.named->inside);
  CHECK(verdict.named->precision.angles == Precision::Angles::tables);
}
