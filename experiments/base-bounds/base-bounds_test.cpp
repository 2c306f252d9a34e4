// SPDX-License-Identifier: Apache-2.0
// Bounds of a base against published and computed values, and against plain loops over their definitions.
// Dimension letters: J planes, L positions.
#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "answers.hpp"
#include "catch.hpp"
#include "cells.hpp"
#include "closed_forms.hpp"
#include "curves.hpp"
#include "same_bits.hpp"
#include "smallest_base.hpp"
#include "thousand.hpp"

namespace {

using cells::Answer;
using cells::Cell;
using cells::Index;
using poslab::data::Mark;
using poslab::data::Value;
using namespace poslab::experiments::base_bounds;

Cell cell(const std::string& scheme, std::int64_t L, Index K = 128, poslab::data::Values axes = {}) {
  axes.set("length", Value(L));
  return {"base-bounds", scheme, axes, {}, {K, 1, L}};
}

std::vector<double> angles(double base, Index J) {
  std::vector<double> all;
  for (Index i = 0; i < J; ++i) all.push_back(1 / std::pow(base, static_cast<double>(i) / static_cast<double>(J)));
  return all;
}

double min_sum(double base, Index J, Index L) {
  double least = 1e9;
  for (Index m = 0; m < L; ++m) {
    double sum = 0;
    for (const double angle : angles(base, J)) sum += std::cos(static_cast<double>(m) * angle);
    least = std::min(least, sum);
  }
  return least;
}

}  // namespace

TEST_CASE("base-bounds: the smallest base, as Men et al. and an exhaustive search have it") {
  // numpy, integer bases: 3439, 4206, 4294, 11588; of 4096 every base up to 26952 fails and 26953 does not.
  CHECK_THAT(*smallest_base(32, 512, 1e12), check::WithinRel(3439.0, 1e-3));
  CHECK_THAT(*smallest_base(64, 1000, 1e12), check::WithinRel(4206.0, 1e-3));
  CHECK_THAT(*smallest_base(64, 1024, 1e12), check::WithinRel(4294.0, 1e-3));
  CHECK_THAT(*smallest_base(64, 2048, 1e12), check::WithinRel(11588.0, 1e-3));
  CHECK_THAT(*smallest_base(64, 4096, 1e12), check::WithinRel(26954.0, 1e-3));
  CHECK_THAT(cells::run(cell("rope", 1024)).scalar("smallest_base"), check::WithinRel(4293.43757, 1e-7));
}

TEST_CASE("base-bounds: admissible bases are no interval") {
  // numpy: whole bases 26953 to 26973 carry 4096 positions, the next that do lie near 29000, and 30000 does not.
  CHECK(min_sum(26952, 64, 4096) < 0);
  CHECK(min_sum(26953, 64, 4096) > 0);
  CHECK(min_sum(26974, 64, 4096) < 0);
  CHECK(min_sum(29000, 64, 4096) > 0);
  CHECK(min_sum(30000, 64, 4096) < 0);
  CHECK(*smallest_base(64, 4096, 1e12) < 26953);
}

TEST_CASE("base-bounds: on 1000 small cases the smallest base is admissible and none of a fine grid below it is") {
  std::mt19937_64 random(13);
  std::size_t found = 0;
  for (int round = 0; round < check::thousand; ++round) {
    const Index J = 2 + static_cast<Index>(random() % 9), L = 1 + static_cast<Index>(random() % 30);
    CAPTURE(round, J, L);
    const std::optional<double> smallest = smallest_base(J, L, 1e3);
    const double end = smallest ? std::log(*smallest) : std::log(1e3);
    if (smallest) {
      ++found;
      REQUIRE(min_sum(*smallest, J, L) >= -1e-6);
    }
    for (int i = 0; i < 40; ++i) {
      const double u = end * (1 - 1e-6) * (static_cast<double>(random() >> 11) * 0x1p-53);
      if (L > 2) REQUIRE(min_sum(std::exp(u), J, L) < 0);
    }
  }
  CHECK(found > 5 * check::thousand / 10);
  CHECK(found < check::thousand);
}

TEST_CASE("base-bounds: one and two positions are carried by every base, and some lengths by none") {
  CHECK(smallest_base(8, 1, 1e12) == 1.0);
  CHECK(smallest_base(8, 2, 1e12) == 1.0);
  CHECK(*smallest_base(8, 3, 1e12) > 1);
  CHECK_FALSE(smallest_base(64, 4096, 26000).has_value());
  CHECK_FALSE(smallest_base(1, 3, 1e300).has_value());  // cos 2 < 0, whatever the base
}

TEST_CASE("base-bounds: the first distance at which base 1e4 fails is 1707") {
  const Answer answer = cells::run(cell("rope", 1708));
  CHECK(answer.scalar("first_negative") == 1707);
  CHECK(answer.scalar("least_cosine") < 0);
  CHECK_FALSE(cells::run(cell("rope", 1707)).has("first_negative"));
  CHECK(cells::run(cell("rope", 1707)).scalar("least_cosine") >= 0);
}

TEST_CASE("base-bounds: RoFormer's bound is least at 3643, PI's bound and what it bounds") {
  const Answer answer = cells::run(cell("rope", 4097));
  CHECK_THAT(answer.scalar("least_bound"), check::WithinAbs(1.1159, 1e-4));
  CHECK(answer.scalar("least_bound_distance") == 3643);
  CHECK_THAT(1 / answer.scalar("interpolation_bound"), check::WithinAbs(294.7309, 1e-4));
  // numpy: 0.49387566 of 128 channels, more than the bound's 0.43429448.
  CHECK_THAT(128 * answer.scalar("interpolation_error"), check::WithinAbs(0.4938756648855, 1e-12));
  CHECK(answer.scalar("interpolation_error") > answer.scalar("interpolation_bound"));
}

TEST_CASE("base-bounds: closed forms") {
  const Answer answer =
      cells::run(cell("rope", 4096, 128, {{"epsilon", Value(0.81)}, {"depth", Value(std::int64_t{2})}}));
  CHECK_THAT(answer.scalar("base"), check::WithinRel(1e4, 1e-12));
  CHECK_THAT(answer.scalar("aliasing_length"), check::WithinRel(62831.853071795864769, 1e-12));
  CHECK_THAT(answer.scalar("aliasing_base"), check::WithinRel(651.8986469044033, 1e-12));
  CHECK_THAT(answer.scalar("cosine_length"), check::WithinRel(1e4 * std::acos(0.9), 1e-12));
  CHECK_THAT(answer.scalar("cosine_base"), check::WithinRel(4096 / std::acos(0.9), 1e-12));
  CHECK(answer.scalar("critical_dimension") == 92);  // LLaMA-2
  CHECK_THAT(answer.scalar("extrapolation_length"),
             check::WithinRel(2 * std::numbers::pi * std::pow(1e4, 92.0 / 128), 1e-12));
  for (const auto& [format, largest] : {std::pair{Format::float32, 8388608.0},
                                        {Format::bfloat16, 128.0},
                                        {Format::float16, 1024.0},
                                        {Format::float64, 4503599627370496.0}})
    CHECK(1 / facts_of(format).epsilon == largest);
  CHECK(critical_dimension(1e4, 64, 6) == 0);
  CHECK(critical_dimension(1e4, 64, 1e9) == 128);
}

TEST_CASE("base-bounds: how far weights of LLaMA-2 reach with a larger base") {
  // 92 of 128 channels turn at base 1e4 within 4096 positions: 1e6^(92 / 128) = 10^(6 * 0.71875) = 10^4.3125 =
  // 20535.25.
  Cell larger = cell("rope", 4096, 128, {{"pretrained_base", Value(1e4)}});
  larger.parameters = {{"base", Value(1e6)}};
  CHECK(cells::run(larger).scalar("critical_dimension") == 92);
  CHECK_THAT(cells::run(larger).scalar("extrapolation_length"), check::WithinAbs(129026.78, 0.01));
  // Without another one the base is that of pre-training: 64 log(4096 / 2 pi) / log 1e6 = 30.02, so 62 channels.
  larger.axes.set("pretrained_base", Value(0.0));
  CHECK(cells::run(larger).scalar("critical_dimension") == 62);
  CHECK_THAT(cells::run(larger).scalar("extrapolation_length"), check::WithinAbs(5063.26, 0.01));
  CHECK_THAT(cells::run(cell("rope", 16, 32, {{"pretrained_base", Value(0.5)}})).skip,
             check::contains("pretrained_base 0.5") && check::contains("0 for the scheme's own"));
}

TEST_CASE("base-bounds: curves by plain loops on 1000 random cases") {
  std::mt19937_64 random(14);
  for (int round = 0; round < check::thousand; ++round) {
    const Index J = 1 + static_cast<Index>(random() % 10), L = 1 + static_cast<Index>(random() % 60);
    const double base = std::exp(1 + static_cast<double>(random() % 1000) / 100);
    CAPTURE(round, J, L, base);
    const std::vector<double> theta = angles(base, J);
    double least = 1e9, bound = 1e9, first = -1, error = 0;
    for (Index m = 0; m < L; ++m) {
      double real = 0, imaginary = 0, all = 0;
      for (const double angle : theta) {
        real += std::cos(angle * static_cast<double>(m)), imaginary += std::sin(angle * static_cast<double>(m));
        all += std::sqrt(real * real + imaginary * imaginary);
      }
      least = std::min(least, real / static_cast<double>(J));
      if (real < 0 && first < 0) first = static_cast<double>(m);
      bound = std::min(bound, all / static_cast<double>(2 * J));
    }
    // The line between positions 0 and 1, at 21 points between them, for the contents that are worst there.
    for (int step = 0; step <= 20; ++step) {
      const double t = step / 20.0;
      double worst = 0;
      for (const double angle : theta)
        worst += std::abs(std::polar(1.0, t * angle) - (1 - t) - t * std::polar(1.0, angle));
      error = std::max(error, worst / static_cast<double>(2 * J));
    }
    const Cosines found = cosines(theta, L);
    REQUIRE_THAT(found.least, check::WithinAbs(least, 1e-12));
    REQUIRE((found.first_negative ? static_cast<double>(*found.first_negative) : -1) == first);
    REQUIRE_THAT(least_bound(theta, L).bound, check::WithinAbs(bound, 1e-12));
    REQUIRE_THAT(interpolation_error(theta), check::WithinAbs(error, 1e-12));
  }
}

TEST_CASE("base-bounds: the base is that of the angles, also where NTK has raised it") {
  Cell here = cell("rope", 64, 32);
  here.parameters = {{"scaling", Value("ntk")}, {"alpha", Value(4.0)}};
  CHECK_THAT(cells::run(here).scalar("base"), check::WithinRel(1e4 * std::pow(4.0, 32.0 / 30), 1e-12));
  CHECK_THAT(cells::run(cell("xpos", 64, 32)).scalar("base"), check::WithinRel(1e4, 1e-12));
  CHECK_THAT(cells::run(cell("sinusoidal", 64, 32)).scalar("base"), check::WithinRel(1e4, 1e-12));
}

TEST_CASE("base-bounds: what has no base is skipped with a sentence") {
  for (const std::string scheme : {"none", "alibi", "learned", "t5"})
    CHECK_THAT(cells::run(cell(scheme, 16, 32)).skip, check::contains("no base to bound"));
  CHECK_THAT(cells::run(cell("rope", 16, 2)).skip, check::contains("rotates one plane, by 1 rad"));
  Cell linear = cell("rope", 16, 32);
  linear.parameters = {{"scaling", Value("linear")}, {"factor", Value(4.0)}};
  CHECK_THAT(cells::run(linear).skip, check::contains("rotates plane 0 by 0.25 rad"));
  Cell below = cell("rope", 16, 32);
  below.parameters = {{"base", Value(0.5)}};
  CHECK_THAT(cells::run(below).skip, check::contains("has base 0.5"));
  Cell shifted = cell("rope", 16, 32);
  shifted.placement.policy = poslab::data::Placement::Policy::shifted;
  shifted.placement.by = 4;
  CHECK_THAT(cells::run(shifted).skip, check::contains("one axis"));
  CHECK_THAT(cells::run(cell("rope", 16, 32,
                             {{"epsilon", Value(std::nextafter(1.0, 0.0))}, {"depth", Value(std::int64_t{1000})}}))
                 .skip,
             check::contains("take a smaller one"));
}

TEST_CASE("base-bounds answers: the base carries so many positions or not, a search that finds nothing says so") {
  const auto yes = cells::answer_of(cell("rope", 1024)), no = cells::answer_of(cell("rope", 4096));
  CHECK(yes.mark == Mark::yes);
  CHECK(numbers_text(yes) == "4294");
  CHECK(no.mark == Mark::no);
  CHECK(numbers_text(no) == "26953");
  CHECK_THAT(no.sentence, check::contains("first at distance 1707"));
  const Cell low = cell("rope", 4096, 128, {{"highest_base", Value(2e4)}});
  CHECK_FALSE(cells::run(low).has("smallest_base"));
  CHECK(numbers_text(cells::answer_of(low)) == "> 20000");
  CHECK_THAT(cells::answer_of(low).sentence, check::contains("no base up to 20000 keeps it from that over 4096"));
}

TEST_CASE("base-bounds answers: the sentence goes by the slowest plane's own angle, not by 1 / base") {
  // Two planes of base 1e4: 1 and 0.01 rad. 4096 positions are 6.5 turns of the slower one, which bfloat16 tells from
  // 0.
  const Cell two = cell("rope", 4096, 4, {{"format", Value("bfloat16")}});
  CHECK_THAT(cells::run(two).scalar("slowest_angle"), check::WithinRel(0.01, 1e-12));
  CHECK(cells::run(two).scalar("critical_dimension") == 4);
  CHECK_THAT(cells::answer_of(two).sentence,
             check::contains("0.01 rad a position, makes 6.52 turns in 4096 positions") &&
                 check::contains("that angle is more than a rounding of 1 in bfloat16"));
  CHECK_THAT(cells::answer_of(cell("rope", 4096, 128, {{"format", Value("bfloat16")}})).sentence,
             check::contains("makes 0.0753 turns") && check::contains("no more than a rounding of 1 in bfloat16"));
}

TEST_CASE("base-bounds of one position and of two") {
  for (const std::int64_t L : {1, 2}) {
    const Answer answer = cells::run(cell("rope", L, 32));
    CHECK(answer.scalar("smallest_base") == 1);
    CHECK(answer.scalar("critical_dimension") == 0);
    CHECK(answer.scalar("least_cosine") > 0);
  }
}

TEST_CASE("base-bounds: the same bits on 1, 2 and 8 threads") { cells::check_same_bits(cell("rope", 500, 32)); }

TEST_CASE("base-bounds answers: one position has none, two are carried") {
  CHECK(cells::answer_of(cell("rope", 1)).mark == Mark::none);
  CHECK(cells::answer_of(cell("rope", 1)).numbers.empty());
  CHECK(cells::answer_of(cell("rope", 2)).mark == Mark::yes);
}
