// SPDX-License-Identifier: Apache-2.0
// Dumps written here by the formulas of papers and models, not by our schemes.
// Dimension letters: N positions, P planes, H heads.
#include "catch.hpp"
#include "dumps.hpp"

using namespace poslab;
using namespace dumps;
using identify::Precision;
using identify::Silence;
using identify::Verdict;

TEST_CASE("cosines and sines of a rotary code: base and precision, but not which channels are paired") {
  const Verdict verdict = verdict_of(cosines_and_sines(300, frequencies(64, 5e5)));
  CHECK(verdict.kind == Verdict::Kind::certain);
  CHECK(named(verdict) == "rope(base=500000)");
  REQUIRE(verdict.named);
  CHECK(verdict.named->precision.angles == Precision::Angles::float32);
  CHECK(verdict.named->largest_difference <= verdict.named->allowed);
  REQUIRE(!verdict.silences.empty());
  CHECK(verdict.silences.front().kind == Silence::Kind::pairing);
}

TEST_CASE("inverse frequencies of Llama 3.1, by Meta's formula") {
  Numbers w = frequencies(64, 5e5);
  for (double& x : w) {
    const double wavelength = 2 * M_PI / x;
    const double smooth = (8192 / wavelength - 1) / (4 - 1);
    x = wavelength < 8192.0 / 4 ? x : wavelength > 8192 ? x / 8 : (1 - smooth) * x / 8 + smooth * x;
  }
  const Verdict verdict = verdict_of({{{"inv_freq", {64}, w}}});
  CHECK(named(verdict) == "rope(base=500000, scaling=llama3, factor=8, original_max_position_embeddings=8192)");
  CHECK(verdict.named->precision.angles == Precision::Angles::float64);
}

TEST_CASE("a base that no model uses is told by its digits") {
  const Verdict verdict = verdict_of(cosines_and_sines(500, frequencies(32, 12345.6)));
  CHECK(named(verdict) == "rope(base=12345.6)");
}

TEST_CASE("a table that is added: the sinusoid of the paper") {
  Dump dump{{{"pe", {50, 32}, {}}}};
  for (Index n = 0; n < 50; ++n)
    for (Index c = 0; c < 32; ++c) {
      const double angle = static_cast<double>(n) / std::pow(10000, 2.0 * static_cast<double>(c / 2) / 32);
      dump.arrays[0].numbers.push_back(c % 2 ? std::cos(angle) : std::sin(angle));
    }
  const Verdict verdict = verdict_of(dump);
  CHECK(verdict.kind == Verdict::Kind::certain);
  CHECK(named(verdict) == "sinusoidal");
}

TEST_CASE("a bias of 12 heads is ALiBi's") {
  Dump dump{{{"bias", {12, 20, 20}, {}}}};
  for (Index h = 0; h < 12; ++h) {
    const double slope =
        h < 8 ? std::exp2(-(static_cast<double>(h) + 1)) : std::exp2(-(static_cast<double>(h - 8) + 0.5));
    for (Index i = 0; i < 20; ++i)
      for (Index j = 0; j < 20; ++j)
        dump.arrays[0].numbers.push_back(j > i ? -INFINITY : slope * static_cast<double>(j - i));
  }
  const Verdict verdict = verdict_of(dump);
  CHECK(named(verdict).starts_with("alibi"));
  CHECK(verdict.kind != Verdict::Kind::nothing);
}

TEST_CASE("a query before and after says which channels are paired") {
  const Numbers w = frequencies(8, 1e4);
  const auto angle = [&](Index n, Index m) { return static_cast<double>(n) * w[static_cast<std::size_t>(m)]; };
  const DumpArray q = drawn("q", {2, 24, 16});
  CHECK(named(verdict_of({{q, rotated("q_rot", q, true, angle)}})) == "rope(style=half-split)");
  CHECK(named(verdict_of({{q, rotated("q_rot", q, false, angle)}})) == "rope");
}

TEST_CASE("the last part of a head rotates") {
  const Numbers w = frequencies(4, 1e4);
  const auto angle = [&](Index n, Index m) { return static_cast<double>(n) * w[static_cast<std::size_t>(m)]; };
  const DumpArray part = drawn("q", {2, 24, 8}), other = drawn("q", {2, 24, 12}, 2);
  const bool halves = GENERATE(false, true);
  const auto joined = [&](const DumpArray& last) {
    DumpArray both{last.name, {2, 24, 20}, {}};
    for (Index row = 0; row < 48; ++row) {
      both.numbers.insert(both.numbers.end(), other.numbers.begin() + 12 * row, other.numbers.begin() + 12 * (row + 1));
      both.numbers.insert(both.numbers.end(), last.numbers.begin() + 8 * row, last.numbers.begin() + 8 * (row + 1));
    }
    return both;
  };
  const Verdict verdict = verdict_of({{joined(part), joined(rotated("q_rot", part, halves, angle))}});
  CHECK(verdict.kind == Verdict::Kind::certain);
  CHECK(named(verdict) == (halves ? "rope(style=half-split, rotary_width=8, rotary_part=last)"
                                  : "rope(rotary_width=8, rotary_part=last)"));
}

TEST_CASE("keys of grouped queries have fewer heads than the queries") {
  const Numbers w = frequencies(8, 5e5);
  const auto angle = [&](Index n, Index m) { return static_cast<double>(n) * w[static_cast<std::size_t>(m)]; };
  const DumpArray q = drawn("q", {4, 40, 16}), k = drawn("k", {2, 40, 16}, 2), three = drawn("k", {3, 40, 16}, 2);
  const DumpArray q_rot = rotated("q_rot", q, true, angle);
  CHECK(named(verdict_of({{q, q_rot, k, rotated("k_rot", k, true, angle)}})) == "rope(base=500000, style=half-split)");
  CHECK_THROWS_AS(verdict_of({{q, q_rot, three, rotated("k_rot", three, true, angle)}}), identify::BadDump);
}

TEST_CASE("frequencies that were rounded to bfloat16 are named so") {
  Numbers w = frequencies(32, 1e4);
  for (double& x : w) x = half(x);
  const Verdict verdict = verdict_of(cosines_and_sines(300, w));
  CHECK(named(verdict) == "rope");
  REQUIRE(verdict.named);
  CHECK(verdict.named->inside);
  CHECK(verdict.named->precision.angles == Precision::Angles::frequencies);
  CHECK(std::string(verdict.named->precision.format) == "bfloat16");
}

TEST_CASE("noise and a constant are nothing") {
  CHECK(verdict_of({{drawn("cos", {40, 16}), drawn("sin", {40, 16}, 2)}}).kind == Verdict::Kind::nothing);
  CHECK(verdict_of({{drawn("bias", {4, 16, 16})}}).kind == Verdict::Kind::nothing);
  CHECK(verdict_of({{{"cos", {40, 16}, Numbers(640, 0.25)}}}).kind == Verdict::Kind::nothing);
  CHECK(verdict_of({{drawn("pe", {40, 16})}}).kind == Verdict::Kind::nothing);
  const Verdict learned = verdict_of({{drawn("transformer.wpe", {40, 16})}});
  CHECK(learned.kind == Verdict::Kind::free_table);
  CHECK(named(learned).starts_with("learned"));
}

TEST_CASE("what is no dump is refused with a sentence") {
  const auto refused = [](const Dump& dump, const std::string& word) {
    CHECK_THROWS_WITH(verdict_of(dump), Catch::Contains(word));
  };
  refused({}, "no arrays");
  refused({{{"cos", {2, 2}, {1, 1, NAN, 1}}}}, "NaN");
  refused({{drawn("q", {1, 1, 0, 8}), drawn("q_rot", {1, 1, 0, 8}), drawn("k", {1, 8})}}, "no numbers");
  refused({{{"hidden_states", {}, {1}}, drawn("logits", {2, 4, 4})}}, "[N, D]");
  refused({{drawn("q_rot", {4, 8})}}, "before it is rotated");
  refused({{drawn("cos", {4, 8}), drawn("sin", {4, 7})}}, "[4, 8]");
  refused({{drawn("a", {4, 8}), drawn("b", {4, 8})}}, "--as");
  refused({{drawn("cos", {4, 8}), drawn("positions", {5})}}, "positions");
}

TEST_CASE("one number that is off is where it departs") {
  Dump dump = cosines_and_sines(300, frequencies(16, 1e4));
  dump.arrays[1].numbers[137 * 16 + 5] += 1e-3;
  const Verdict verdict = verdict_of(dump);
  CHECK(verdict.kind == Verdict::Kind::nothing);
  CHECK(named(verdict) == "rope");
  REQUIRE(verdict.named);
  REQUIRE(verdict.named->departs);
  CHECK(verdict.named->departs->position == 137);
  CHECK(verdict.named->departs->plane == 5);
  CHECK(verdict.named->departs->array == "sin");
}
