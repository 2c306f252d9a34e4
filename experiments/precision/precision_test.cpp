// SPDX-License-Identifier: Apache-2.0
// Positions in 16 bits against published numbers, closed forms, and plain loops over the definition.
// Dimension letters: N positions, M positions of a window, J planes, W channels, C contents.
#include <algorithm>
#include <cmath>
#include <limits>

#include "answers.hpp"
#include "catch.hpp"
#include "cells.hpp"
#include "logit_error.hpp"
#include "poslab/attention/coded.hpp"
#include "poslab/numerics/format.hpp"
#include "same_bits.hpp"
#include "thousand.hpp"

namespace {

using namespace poslab;
using namespace poslab::experiments::precision;
using cells::Answer;
using cells::Cell;
using data::Value;

using cells::list, cells::whole;

Cell cell(const std::string& scheme, std::int64_t N, const char* format, const std::vector<double>& shifts,
          host::Model model = {32, 1, 2048}) {
  return {"precision",
          scheme,
          {{"length", whole(N)}, {"contents", whole(2)}, {"format", Value(format)}, {"shift", list(shifts)}},
          {},
          model};
}

// All numbers of a format that are not negative, in order: the rounding by looking them up.
class Numbers {
 public:
  explicit Numbers(const numerics::Format& format) {
    const int fraction_bits = format.significand_bits - 1;
    const double smallest = std::exp2(format.lowest_exponent - fraction_bits);
    for (int i = 0; i < 1 << fraction_bits; ++i) all_.push_back(smallest * i);
    for (double power = std::exp2(format.lowest_exponent); power <= format.largest; power *= 2)
      for (int i = 0; i < 1 << fraction_bits; ++i) all_.push_back(power * (1 + i / std::exp2(fraction_bits)));
    end_ = 2 * all_.back() - all_[all_.size() - 2];  // where the next one would be
  }
  double nearest(double x) const {
    if (std::isnan(x) || std::isinf(x)) return x;
    const double size = std::abs(x), infinity = std::numeric_limits<double>::infinity();
    const auto above = std::lower_bound(all_.begin(), all_.end(), size);
    double found = 0;
    if (above == all_.end()) {
      found = size - all_.back() < end_ - size ? all_.back() : infinity;
    } else if (*above == size) {
      found = size;
    } else {
      const auto below = above - 1;
      const double up = *above - size, down = size - *below;
      const bool below_is_even = (below - all_.begin()) % 2 == 0;
      found = down < up || (down == up && below_is_even) ? *below : *above;
    }
    return std::copysign(found, x);
  }
  std::size_t count() const { return all_.size(); }

 private:
  std::vector<double> all_;
  double end_ = 0;
};

const Numbers& numbers_of(const numerics::Format& format) {
  static const Numbers half(numerics::float16), brain(numerics::bfloat16);
  return format.significand_bits == 11 ? half : brain;
}

// By the definition, stage by stage.
double kept_cosine(double position, double frequency, int stage, const Numbers& numbers, bool sine = false) {
  const auto keep = [&](int at, double x) { return stage == 0 || stage == at ? numbers.nearest(x) : x; };
  const double angle = keep(3, keep(2, position) * keep(1, frequency));
  return keep(4, sine ? std::sin(angle) : std::cos(angle));
}

}  // namespace

TEST_CASE("precision: both formats round as a list of all their numbers does") {
  for (const numerics::Format& format : {numerics::float16, numerics::bfloat16}) {
    const Numbers& numbers = numbers_of(format);
    CHECK(numbers.count() == (format.significand_bits == 11 ? 31744 : 32640));  // of 2^15, without infinity and NaN
    const base::Stream draws(format.name);
    for (std::uint64_t i = 0; i < 20000; ++i) {
      const double exponent = 40 * draws.uniform(3 * i) - 26,
                   x = std::exp2(exponent) * (draws.below(3 * i + 1, 2) ? 1 : -1),
                   with_few_bits = std::ldexp(std::nearbyint(std::ldexp(x, 12 - std::ilogb(x))), std::ilogb(x) - 12);
      CAPTURE(format.name, x, with_few_bits);
      REQUIRE(numerics::rounded(x, format) == numbers.nearest(x));
      REQUIRE(numerics::rounded(with_few_bits, format) == numbers.nearest(with_few_bits));  // many ties
    }
    CHECK(numerics::rounded(format.largest, format) == format.largest);
    CHECK(std::isinf(numerics::rounded(format.largest * 1.01, format)));
    CHECK(numerics::rounded(0, format) == 0);
    CHECK(std::isnan(numerics::rounded(std::nan(""), format)));
  }
  CHECK(numerics::rounded(65519, numerics::float16) == 65504);
  CHECK(std::isinf(numerics::rounded(65520, numerics::float16)));
  CHECK(numerics::rounded(0x1p-24, numerics::float16) == 0x1p-24);
  CHECK(numerics::rounded(0x1p-25, numerics::float16) == 0);
  for (double x = -4; x < 4; x += 0x1.3p-7)
    REQUIRE(numerics::rounded(x, numerics::bfloat16) ==
            static_cast<double>(numerics::to_bfloat16(static_cast<float>(x))));
}

TEST_CASE("precision: float16 tables of 32 channels change a cosine by 0.7819, at position 2008 in plane 1") {
  const Answer answer = cells::run(cell("rope", 2048, "float16", {0}));
  CHECK_THAT(answer.curve("cosine_error")[0], check::WithinAbs(0.7819, 5e-5));
  CHECK(answer.curve("cosine_error_position")[0] == 2008);
  CHECK(answer.curve("cosine_error_plane")[0] == 1);
  // Stage by stage, as numpy gives it: 11 bits hold every position up to 2048.
  CHECK_THAT(answer.curve("cosine_error")[1], check::WithinAbs(0.321580627021, 1e-11));
  CHECK(answer.curve("cosine_error")[2] == 0);
  CHECK_THAT(answer.curve("cosine_error")[3], check::WithinAbs(0.489850672366, 1e-11));
  CHECK_THAT(answer.curve("cosine_error")[4], check::WithinAbs(0.000244135430436, 1e-14));
  CHECK(answer.curve("cosine_error")[5] == 0);
  const Answer brain = cells::run(cell("rope", 2048, "bfloat16", {0}));
  CHECK_THAT(brain.curve("cosine_error")[0], check::WithinAbs(1.996816589421, 1e-11));
  CHECK_THAT(brain.curve("cosine_error")[1], check::WithinAbs(0.362268955494, 1e-11));
}

TEST_CASE("precision: bfloat16 holds 769 of the positions 0 .. 4095 apart, and 9 of 65536 .. 69631") {
  const Answer answer = cells::run(cell("rope", 4096, "bfloat16", {0, 65536}));
  CHECK(answer.curve("distinct_positions") == std::vector<double>{769, 9});
  const Answer half = cells::run(cell("rope", 4096, "float16", {0, 4096, 65536}));
  CHECK(half.curve("distinct_positions")[0] == 3073);      // all up to 2048, every other one to 4096
  CHECK(half.curve("distinct_positions")[1] == 1025);      // every fourth
  CHECK(std::isnan(half.curve("distinct_positions")[2]));  // beyond 65504
  CHECK(std::isnan(half.curve("logit_error")[2]));
  CHECK(half.curve("logit_error").size() == 18);
}

TEST_CASE("precision: tables and their errors by plain loops, 1000 random cases") {
  const base::Stream draws("precision_test");
  for (std::uint64_t number = 0; number < check::thousand; ++number) {
    const std::uint64_t first = 100 * number;
    const numerics::Format& format = draws.below(first, 2) ? numerics::float16 : numerics::bfloat16;
    const int stage = static_cast<int>(draws.below(first + 1, 6));
    std::vector<double> positions, frequencies;
    for (std::uint64_t n = 0; n < 1 + draws.below(first + 2, 6); ++n)
      positions.push_back(std::floor(5000 * draws.uniform(first + 10 + n)));
    for (std::uint64_t j = 0; j < 1 + draws.below(first + 3, 5); ++j)
      frequencies.push_back(std::pow(1e4, -draws.uniform(first + 30 + j)));
    CAPTURE(number, format.name, stage, positions, frequencies);
    const Table exact = table(positions, frequencies, Rounding()),
                kept = table(positions, frequencies, Rounding(static_cast<Stage>(stage), format));
    double of_cosines = 0, largest = 0;
    for (std::size_t n = 0; n < positions.size(); ++n)
      for (std::size_t j = 0; j < frequencies.size(); ++j) {
        const double cosine = kept_cosine(positions[n], frequencies[j], stage, numbers_of(format)),
                     sine = kept_cosine(positions[n], frequencies[j], stage, numbers_of(format), true);
        REQUIRE(kept.cosine(static_cast<Index>(n), static_cast<Index>(j)) == cosine);
        REQUIRE(kept.sine(static_cast<Index>(n), static_cast<Index>(j)) == sine);
        of_cosines = std::max(of_cosines, std::abs(cosine - std::cos(positions[n] * frequencies[j])));
        largest = std::max({largest, of_cosines, std::abs(sine - std::sin(positions[n] * frequencies[j]))});
      }
    const TableError error = table_error(exact, kept);
    REQUIRE(error.largest_of_cosines == of_cosines);
    REQUIRE(error.largest == largest);
    std::size_t different = 0, codes = 0;
    for (std::size_t n = 0; n < positions.size(); ++n) {
      bool is_new = true, is_new_code = true;
      for (std::size_t m = 0; m < n; ++m) {
        is_new &= numbers_of(format).nearest(positions[m]) != numbers_of(format).nearest(positions[n]);
        bool same = true;
        for (Index j = 0; j < static_cast<Index>(frequencies.size()); ++j)
          same &= kept.cosine(static_cast<Index>(n), j) == kept.cosine(static_cast<Index>(m), j) &&
                  kept.sine(static_cast<Index>(n), j) == kept.sine(static_cast<Index>(m), j);
        is_new_code &= !same;
      }
      different += is_new, codes += is_new_code;
    }
    REQUIRE(distinct_positions(positions, format) == static_cast<double>(different));
    REQUIRE(distinct_codes(kept) == static_cast<double>(codes));
  }
}

TEST_CASE("precision: codes that differ in a sine alone are two") {
  Table mirrored{Array<double>{2, 1}, Array<double>{2, 1}};
  mirrored.cosine(0, 0) = mirrored.cosine(1, 0) = -0.5;
  mirrored.sine(0, 0) = 0.866, mirrored.sine(1, 0) = -0.866;
  CHECK(distinct_codes(mirrored) == 2);
  mirrored.sine(1, 0) = 0.866;
  CHECK(distinct_codes(mirrored) == 1);
}

TEST_CASE("precision: errors of logits by plain loops, 1000 random cases") {
  const base::Stream draws("precision_test logits");
  for (std::uint64_t number = 0; number < check::thousand; ++number) {
    const auto pick = [&](std::uint64_t which, std::uint64_t n) { return draws.below(16 * number + which, n); };
    const numerics::Format& format = pick(0, 2) ? numerics::float16 : numerics::bfloat16;
    const Numbers& numbers = numbers_of(format);
    const int stage = static_cast<int>(pick(1, 6));
    const Use use = pick(2, 2) ? Use::add : Use::rotate;
    const auto C = static_cast<Index>(1 + pick(3, 2)), M = static_cast<Index>(1 + pick(4, 3));
    const auto J = static_cast<Index>(1 + pick(5, 3)), W = 2 * J + static_cast<Index>(pick(6, 3)) - (use == Use::add);
    std::vector<double> frequencies, window;
    for (Index j = 0; j < J; ++j)
      frequencies.push_back(std::pow(1e4, -static_cast<double>(j) / static_cast<double>(J)));
    for (Index m = 0; m < M; ++m) window.push_back(static_cast<double>(3 * m));
    const std::vector<double> shifts{0, 700, 5001};
    const data::Draws contents(number, "precision", "", 0);
    const base::Array<double> query = contents.normal("q", {C, M, W}), key = contents.normal("k", {C, M, W});
    CAPTURE(number, format.name, stage, use == Use::add, C, M, J, W);
    const auto logit = [&](Index c, Index m, Index n, double shift, int rounded) {
      const auto keep = [&](double x) { return rounded == 0 || rounded == 5 ? numbers.nearest(x) : x; };
      const auto coded = [&](const base::Array<double>& x, Index at, Index w) {
        const Index j = w / 2;
        const double content = x(c, at, w);
        if (j >= J) return keep(content);
        const double position = window[static_cast<std::size_t>(at)] + shift,
                     frequency = frequencies[static_cast<std::size_t>(j)];
        const double cosine = kept_cosine(position, frequency, rounded, numbers),
                     sine = kept_cosine(position, frequency, rounded, numbers, true);
        if (use == Use::add) return keep(content + (w % 2 ? cosine : sine));
        if (2 * j + 1 >= W) return keep(content);
        const double partner = x(c, at, w % 2 ? w - 1 : w + 1);
        return keep(w % 2 ? content * cosine + partner * sine : content * cosine - partner * sine);
      };
      double sum = 0;
      for (Index w = 0; w < W; ++w) sum += coded(query, m, w) * coded(key, n, w);
      return keep(1 / std::sqrt(static_cast<double>(W)) * sum);
    };
    const LogitErrors found =
        logit_errors({frequencies, window, shifts, use}, Rounding(static_cast<Stage>(stage), format), query, key);
    for (std::size_t r = 0; r < shifts.size(); ++r) {
      double largest = 0, squares = 0, moved = 0;
      for (Index c = 0; c < C; ++c)
        for (Index m = 0; m < M; ++m)
          for (Index n = 0; n < M; ++n) {
            const double error = std::abs(logit(c, m, n, shifts[r], stage) - logit(c, m, n, shifts[r], -1)),
                         apart = logit(c, m, n, shifts[r], stage) - logit(c, m, n, 0, stage);
            largest = std::max(largest, error);
            squares += error * error;
            moved += apart * apart;
          }
      const auto pairs = static_cast<double>(C * M * M);
      const double slack = 1e-12;
      REQUIRE_THAT(found.largest[r], check::WithinAbs(largest, slack));
      REQUIRE_THAT(found.root_mean_square[r], check::WithinAbs(std::sqrt(squares / pairs), slack));
      REQUIRE_THAT(found.moved[r], check::WithinAbs(std::sqrt(moved / pairs), slack));
    }
  }
}

TEST_CASE("precision: where nothing is rounded, the logits are the scheme's own") {
  const std::string id = GENERATE("rope", "sinusoidal");
  const Index M = 20, W = 12;
  const host::Scheme scheme(cells::plugin(id), {}, {W, 1, 64});
  const data::Draws draws(1, "precision", id, 0);
  const base::Array<double> query = draws.normal("q", {1, M, W}), key = draws.normal("k", {1, M, W});
  base::Array<double> positions{M, 1}, out{1, M, M};
  std::vector<double> window;
  for (Index m = 0; m < M; ++m) window.push_back(positions(m, 0) = static_cast<double>(7 * m));
  const host::Context context{200, 64, true};
  const attention::Coded<double> coded = attention::coded<double>(scheme, context, positions, {}, query, key);
  attention::logits<double>(scheme, context, positions, coded.transformed, coded.layer_input, 0, {}, out);
  const base::Array<double> logits =
      window_logits(query.view()[0], key.view()[0], table(window, scheme.inverse_frequency(), Rounding()),
                    id == "rope" ? Use::rotate : Use::add, Rounding());
  for (Index m = 0; m < M; ++m)
    for (Index n = 0; n < M; ++n) REQUIRE_THAT(logits(m, n), check::WithinAbs(out(0, m, n), 1e-12));
}

TEST_CASE("precision: relative shift breaks where positions lose their last bit") {
  const Answer answer = cells::run(cell("rope", 64, "bfloat16", {0, 64, 256, 1024}));
  const std::vector<double>&moved = answer.curve("shift_error"), &from = answer.curve("breaks_at");
  const auto at = [&](std::size_t stage, std::size_t shift) { return moved[4 * stage + shift]; };
  for (std::size_t stage = 0; stage < 6; ++stage) CHECK(at(stage, 0) == 0);
  CHECK(at(2, 1) < 1e-13);  // 64 .. 127: seven bits
  CHECK(at(2, 2) > 0.1);    // 256 .. 319: every other position is none
  CHECK(from[2] == 256);
  CHECK(at(4, 3) < 0.02);
  CHECK(std::isnan(from[4]));
  CHECK(std::isnan(from[5]));
  CHECK(at(1, 3) < 1e-12);  // a wrong frequency is wrong for good, but still one rotation
  const Answer added = cells::run(cell("sinusoidal", 64, "bfloat16", {0, 256}));
  CHECK_FALSE(added.has("shift_error"));
  CHECK(added.curve("logit_error").size() == 12);
}

TEST_CASE("precision: what cannot be asked is skipped with a sentence, lengths 1 and 2") {
  for (const std::string scheme : {"none", "alibi", "learned"})
    CHECK_THAT(cells::run(cell(scheme, 32, "bfloat16", {0})).skip, check::contains("declares no inverse frequencies"));
  // These make angles all the same: the sentence must not deny it.
  for (const std::string scheme : {"rerope", "self-extend", "fourier", "cape", "transformer-xl", "sandwich"})
    CHECK_THAT(cells::run(cell(scheme, 32, "bfloat16", {0})).skip,
               check::contains("declares no inverse frequencies") && check::contains("or keeps to itself"));
  CHECK_THAT(cells::run(cell("rope", 65521, "float16", {0})).skip,
             check::contains("65520") && check::contains("65504") && check::contains("float16"));
  CHECK_THAT(cells::run(cell("rope", 8, "float16", {})).skip, check::contains("empty"));
  const Answer one = cells::run(cell("rope", 1, "float16", {0})), two = cells::run(cell("rope", 2, "float16", {0}));
  CHECK(one.curve("table_error")[0] == 0);  // cos 0 = 1, sin 0 = 0
  CHECK(one.curve("distinct_codes")[0] == 1);
  CHECK(two.curve("distinct_codes")[0] == 2);
}

TEST_CASE("precision: positions below 0 reach the format's end as those above do") {
  Cell below = cell("rope", 3, "float16", {0});
  below.placement.policy = data::Placement::Policy::at;
  below.placement.values = {-70000, -66000, 0};
  CHECK_THAT(cells::run(below).skip, check::contains("position -70000 is none in float16"));
  const std::vector<double> positions{-70000, -66000, 0}, frequencies{1};
  CHECK(std::isnan(distinct_positions(positions, numerics::float16)));
  CHECK(std::isnan(distinct_codes(table(positions, frequencies, Rounding(Stage::all, numerics::float16)))));
}

TEST_CASE("precision: relative shift breaks at the first shift for which the format has no number") {
  const Answer ended = cells::run(cell("rope", 8, "float16", {0, 1, 65536}));
  CHECK(std::isnan(ended.curve("shift_error")[2]));
  CHECK(ended.curve("breaks_at")[0] == 65536);
}

TEST_CASE("precision: a scheme that makes its logits itself has tables and no logits of ours") {
  const Answer pope = cells::run(cell("pope", 64, "bfloat16", {0, 192}));
  CHECK(pope.has("table_error"));
  CHECK(pope.has("distinct_positions"));
  for (const char* measure : {"logit_error", "logit_error_rms", "shift_error", "breaks_at"})
    CHECK_FALSE(pope.has(measure));
  const data::Answer answer = cells::answer_of(cell("pope", 64, "bfloat16", {0, 192}));
  CHECK(answer.mark == data::Mark::none);
  CHECK_THAT(answer.sentence, check::contains("its own logits"));
  CHECK(numbers_text(cells::answer_of(cell("pope", 64, "bfloat16", {0, 1024}))) ==
        "9 left");  // steps of 8 from 1024 on
}

TEST_CASE("precision: the same bits on 1, 2 and 8 threads") {
  cells::check_same_bits(cell("rope", 90, "float16", {0, 500}));
}
