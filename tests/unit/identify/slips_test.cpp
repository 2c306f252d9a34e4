// SPDX-License-Identifier: Apache-2.0
// Slips planted in dumps that are written here.
// Dimension letters: N positions, P planes, H heads.
#include <algorithm>

#include "catch.hpp"
#include "dumps.hpp"
#include "observation.hpp"
#include "slips.hpp"

using namespace poslab;
using namespace dumps;
using identify::Slip;
using identify::Verdict;

namespace {

constexpr Index N = 48, P = 8;

// Cosines and sines at other positions than they should be.
Verdict of_positions(const std::function<double(Index)>& position) {
  const Numbers w = frequencies(P, 1e4);
  Dump dump{{{"cos", {N, P}, {}}, {"sin", {N, P}, {}}}};
  for (Index n = 0; n < N; ++n)
    for (const double x : w) {
      dump.arrays[0].numbers.push_back(single(std::cos(position(n) * x)));
      dump.arrays[1].numbers.push_back(single(std::sin(position(n) * x)));
    }
  return verdict_of(dump);
}

void explained(const Verdict& verdict, Slip::Kind kind, double amount, const std::string& variant) {
  CHECK(verdict.kind == Verdict::Kind::nothing);
  REQUIRE(verdict.slip);
  CHECK(verdict.slip->kind == kind);
  CHECK(verdict.slip->amount == Approx(amount));
  REQUIRE(verdict.slipped);
  CHECK(verdict.slipped->named.text() == variant);
}

Dump slopes_of(Index H, const std::function<double(Index)>& slope) {
  Dump dump{{{"bias", {H, 12, 12}, {}}}};
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < 12; ++i)
      for (Index j = 0; j < 12; ++j)
        dump.arrays[0].numbers.push_back(j > i ? -INFINITY : single(slope(h) * static_cast<double>(j - i)));
  return dump;
}

}  // namespace

TEST_CASE("positions that are not where they should be") {
  explained(of_positions([](Index n) { return static_cast<double>(n + 1); }), Slip::Kind::off_by_one, 1, "rope");
  explained(of_positions([](Index n) { return static_cast<double>(n % 20); }), Slip::Kind::restarts, 20, "rope");
  explained(of_positions([](Index n) { return static_cast<double>(std::min<Index>(n, 30)); }), Slip::Kind::cut, 30,
            "rope");
  explained(of_positions([](Index n) { return n < 25 ? static_cast<double>(n) : 0; }), Slip::Kind::joined, 25, "rope");
  explained(of_positions([](Index n) { return 2 * static_cast<double>(n); }), Slip::Kind::twice, 2, "rope");
  explained(of_positions([](Index n) { return -static_cast<double>(n); }), Slip::Kind::sign, 0, "rope");
}

TEST_CASE("queries that were not rotated, or with cosines for another pairing") {
  const DumpArray q = drawn("q", {2, N, 2 * P});
  DumpArray same = q;
  same.name = "q_rot";
  const Verdict verdict = verdict_of({{q, same}});
  REQUIRE(verdict.slip);
  CHECK(verdict.slip->kind == Slip::Kind::not_at_all);
  // V-JEPA 2: channel c has the angle of plane c mod P, and its neighbour's content.
  const Numbers w = frequencies(P, 1e4);
  DumpArray tiled = q;
  tiled.name = "q_rot";
  for (std::size_t at = 0; at < q.numbers.size(); ++at) {
    const auto c = static_cast<Index>(at) % (2 * P), n = static_cast<Index>(at) / (2 * P) % N;
    const double angle = static_cast<double>(n) * w[static_cast<std::size_t>(c % P)];
    const double beside = c % 2 == 0 ? -q.numbers[at + 1] : q.numbers[at - 1];
    tiled.numbers[at] = single(q.numbers[at] * std::cos(angle) + beside * std::sin(angle));
  }
  const Verdict other = verdict_of({{q, tiled}});
  REQUIRE(other.slip);
  CHECK(other.slip->kind == Slip::Kind::layout_exchanged);
}

TEST_CASE("slopes that go on where the heads are no power of two, the other sign, twice") {
  explained(verdict_of(slopes_of(12, [](Index h) { return std::exp2(-8.0 * static_cast<double>(h + 1) / 12); })),
            Slip::Kind::plain_slopes, 0, "alibi");
  explained(verdict_of(slopes_of(8, [](Index h) { return -std::exp2(-static_cast<double>(h + 1)); })), Slip::Kind::sign,
            0, "alibi");
  explained(verdict_of(slopes_of(8, [](Index h) { return 2 * std::exp2(-static_cast<double>(h + 1)); })),
            Slip::Kind::twice, 2, "alibi");
}

TEST_CASE("the exponent over the head, not over the part that is rotated, an attention factor that was dropped") {
  // 32 of 128 channels rotate, and the exponent goes over 128.
  Numbers w;
  for (Index m = 0; m < 16; ++m) w.push_back(std::pow(1e4, -2.0 * static_cast<double>(m) / 128));
  const Verdict verdict = verdict_of({{{"inv_freq", {16}, w}}});
  CHECK(named(verdict) == "rope(base=10)");
  REQUIRE(verdict.slip);
  CHECK(verdict.slip->kind == Slip::Kind::wrong_width);
  CHECK(verdict.slip->amount == 4);
}

TEST_CASE("a bias of which only half came through") {
  explained(verdict_of(slopes_of(8, [](Index h) { return 0.5 * std::exp2(-static_cast<double>(h + 1)); })),
            Slip::Kind::scale, 0.5, "alibi");
}

TEST_CASE("T5's positions begin anew, and nobody gave its table") {
  constexpr Index H = 2, tokens = 40;
  const DumpArray table = drawn("", {32, H});
  // Raffel et al. 2020: half of the buckets for either side, the first eight of one offset each.
  const auto bucket = [](Index offset) {
    const auto n = static_cast<double>(std::abs(offset));
    const double far = std::min(15.0, 8 + std::floor(std::log(n / 8) / std::log(128.0 / 8) * 8));
    return (offset > 0 ? 16 : 0) + static_cast<Index>(n < 8 ? n : far);
  };
  Dump dump{{{"bias", {H, tokens, tokens}, {}}}};
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < tokens; ++i)
      for (Index j = 0; j < tokens; ++j)
        dump.arrays[0].numbers.push_back(table.numbers[static_cast<std::size_t>(bucket(j % 25 - i % 25) * H + h)]);
  explained(verdict_of(dump), Slip::Kind::restarts, 25, "t5(bidirectional=true)");
}

TEST_CASE("YaRN without its attention factor") {
  Numbers w = frequencies(32, 1e4);
  const auto plane = [](double rotations) {
    return 64 * std::log(4096 / (rotations * 2 * M_PI)) / (2 * std::log(1e4));
  };
  const double low = std::floor(plane(32)), high = std::ceil(plane(1));
  for (std::size_t m = 0; m < w.size(); ++m) {
    const double slow = std::clamp((static_cast<double>(m) - low) / (high - low), 0.0, 1.0);
    w[m] = w[m] * (1 - slow) + w[m] / 4 * slow;
  }
  const Verdict verdict = verdict_of(cosines_and_sines(300, w));
  CHECK(named(verdict).starts_with("rope(scaling=yarn, factor=4, original_max_position_embeddings=4096"));
  REQUIRE(verdict.slip);
  CHECK(verdict.slip->kind == Slip::Kind::magnitude);
  CHECK(verdict.slip->amount == 0);
}

TEST_CASE("parameters of a plugin that are of another kind than usual are no slip, or their number is") {
  const auto sinusoidal = std::find_if(shipped().begin(), shipped().end(),
                                       [](const auto& plugin) { return plugin->info().id == "sinusoidal"; });
  REQUIRE(sinusoidal != shipped().end());
  const DumpArray table = drawn("pe", {8, 16});
  const std::vector<identify::Evidence> read = identify::readings({{table}}, {});
  const identify::Maker maker(*sinusoidal, read.front());
  identify::Found found;
  found.candidate = *maker.candidate({});
  const auto slip_with = [&](const data::Values& parameters) {
    found.fit.named = {"sinusoidal", parameters};
    return identify::slip_within(found, read.front(), maker);
  };
  const auto slip = slip_with({{"start_index", std::int64_t{1}}});
  REQUIRE(slip);
  CHECK(slip->kind == Slip::Kind::off_by_one);
  CHECK(slip->amount == 1);
  CHECK_FALSE(slip_with({{"start_index", std::string("none")}}));
  CHECK_FALSE(slip_with({{"attention_factor", std::string("none")}, {"base", std::int64_t{3}}}));
}
