// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/error.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{64, 512, true};

Array<double> codes(const data::Values& parameters, Index D, const Array<double>& positions) {
  Array<double> out({positions.extent(0), D});
  check::scheme("sinusoidal", parameters, {D, 1, 512})->encode<double>(context, positions, {}, out);
  return out;
}

double norm2(const Array<double>& rows, Index n) {
  double sum = 0;
  for (Index c = 0; c < rows.extent(1); ++c) sum += rows(n, c) * rows(n, c);
  return sum;
}

// The angle of frequency m, in long double: what every layout draws on.
long double angle(double position, int m, Index D, double base = 1e4) {
  return static_cast<long double>(position) * std::pow(static_cast<long double>(base), -2.0L * m / static_cast<int>(D));
}

}  // namespace

TEST_CASE("sinusoidal: the formula in its first two layouts, even and odd widths") {
  const Index D = GENERATE(1, 2, 7, 12, 301);  // 301: more than one batch
  const double base = GENERATE(1e4, 50.0);
  const auto positions = check::positions({0, 1, 2, 7, 511, 8191, -3, 2.5});
  const auto interleaved = codes({{"base", Value(base)}}, D, positions);
  const auto half_split = codes({{"base", Value(base)}, {"layout", Value("half-split")}}, D, positions);
  const Index sines = (D + 1) / 2;
  for (Index n = 0; n < positions.extent(0); ++n)
    for (Index c = 0; c < D; ++c) {
      const int m = static_cast<int>(c / 2), half = static_cast<int>(c < sines ? c : c - sines);
      // A frequency that is off by half a unit in its last place moves the angle by as much.
      const double close = 1e-15 + 3e-16 * std::abs(positions(n, 0));
      const long double a = angle(positions(n, 0), m, D, base), b = angle(positions(n, 0), half, D, base);
      CHECK_THAT(interleaved(n, c),
                 check::WithinAbs(static_cast<double>(c % 2 == 0 ? std::sin(a) : std::cos(a)), close));
      CHECK_THAT(half_split(n, c), check::WithinAbs(static_cast<double>(c < sines ? std::sin(b) : std::cos(b)), close));
    }
}

TEST_CASE("sinusoidal: the timing signal") {
  const Index D = GENERATE(2, 3, 8, 9);
  const double shortest = GENERATE(1.0, 2.0), longest = 5000;
  const auto positions = check::positions({0, 1, 6, 40});
  const auto rows = codes({{"layout", Value("timing-signal")},
                           {"min_timescale", Value(shortest)},
                           {"max_timescale", Value(longest)},
                           {"start_index", Value(5.0)}},
                          D, positions);
  const Index half = D / 2;
  for (Index n = 0; n < 4; ++n) {
    for (Index m = 0; m < half; ++m) {
      const double f =
          shortest * std::exp(-static_cast<double>(m) * std::log(longest / shortest) / std::max<double>(half - 1, 1));
      const double at = (positions(n, 0) + 5) * f;
      CHECK_THAT(rows(n, m), check::WithinAbs(std::sin(at), 1e-13));
      CHECK_THAT(rows(n, half + m), check::WithinAbs(std::cos(at), 1e-13));
    }
    if (D % 2 == 1) CHECK(rows(n, D - 1) == 0);
  }
}

TEST_CASE("sinusoidal: known norms, inner products and wavelengths") {
  const auto positions = check::consecutive(512);
  const auto rows = codes({{"scale", Value(0.25)}}, 128, positions);
  for (const Index n : {0, 1, 17, 511}) CHECK_THAT(norm2(rows, n), check::WithinRel(64.0 / 16, 1e-14));
  const auto product = [&](Index p, Index q) {
    double sum = 0;
    for (Index c = 0; c < 128; ++c) sum += rows(p, c) * rows(q, c);
    return sum;
  };
  for (const Index k : {1, 5, 100}) {
    double expected = 0;
    for (int m = 0; m < 64; ++m) expected += std::cos(std::pow(1e4, -2.0 * m / 128) * static_cast<double>(k)) / 16;
    CHECK_THAT(product(3, 3 + k), check::WithinAbs(expected, 1e-13));
    CHECK_THAT(product(400 - k, 400), check::WithinAbs(expected, 1e-13));
  }
  // The published distance of neighbours for D = 128.
  const auto plain = codes({}, 128, positions);
  double apart = 0;
  for (Index c = 0; c < 128; ++c) apart += std::pow(plain(1, c) - plain(0, c), 2);
  CHECK_THAT(std::sqrt(apart), check::WithinAbs(1.952596, 1e-6));
  const auto scheme = check::scheme("sinusoidal", {}, {128, 1, 512});
  const auto frequencies = scheme->inverse_frequency();
  REQUIRE(frequencies.size() == 64);
  CHECK(frequencies[0] == 1);
  CHECK_THAT(frequencies[63], check::WithinRel(std::pow(1e4, -126.0 / 128), 1e-15));
  const auto timing = check::scheme("sinusoidal", {{"layout", Value("timing-signal")}}, {128, 1, 512});
  CHECK_THAT(timing->inverse_frequency()[63], check::WithinRel(1e-4, 1e-13));
}

TEST_CASE("sinusoidal: float32 is float64 rounded once, also at far positions") {
  const std::string layout = GENERATE("interleaved", "half-split", "timing-signal");
  const auto scheme = check::scheme("sinusoidal", {{"layout", Value(layout)}, {"scale", Value(3.0)}}, {33, 1, 512});
  const auto positions = check::positions({0, 77, 1048575, 123456789.25, -1e15});
  Array<double> exact({5, 33});
  Array<float> rounded({5, 33});
  scheme->encode<double>(context, positions, {}, exact);
  scheme->encode<float>(context, positions, {}, rounded);
  for (Index i = 0; i < exact.size(); ++i) CHECK(rounded.data()[i] == static_cast<float>(exact.data()[i]));
}

TEST_CASE("sinusoidal: any split of the positions gives the same bits") {
  const auto scheme = check::scheme("sinusoidal", {}, {70, 1, 512});
  const auto positions = check::consecutive(50);
  Array<double> whole({50, 70}), one({1, 70});
  scheme->encode<double>(context, positions, {}, whole);
  for (const Index n : {0, 13, 49}) {
    scheme->encode<double>(context, check::positions({static_cast<double>(n)}), {}, one);
    for (Index c = 0; c < 70; ++c) CHECK(one(0, c) == whole(n, c));
  }
}

TEMPLATE_TEST_CASE("sinusoidal: scaled by a learned factor, D^-0.5 at first", "", float, double) {
  using S = TestType;
  const Index D = GENERATE(16, 9);
  const auto scheme = check::scheme("sinusoidal", {{"scaled", Value(true)}, {"scale", Value(2.0)}}, {D, 1, 512});
  REQUIRE(scheme->weights().size() == 1);
  CHECK(scheme->weights()[0].initialisation == POSLAB_CONSTANT);
  CHECK(scheme->weights()[0].first == 1 / std::sqrt(static_cast<double>(D)));
  host::Weights<S> weights(scheme->weights(), 1);
  weights.arrays()[0][0].data()[0] = static_cast<S>(-0.7);
  const auto positions = check::positions({0, 3, 500});
  const auto plain = codes({}, D, positions);
  Array<S> out({3, D});
  scheme->template encode<S>(context, positions, std::as_const(weights).layer(0), out);
  const double factor = 2 * static_cast<double>(static_cast<S>(-0.7));
  for (Index i = 0; i < out.size(); ++i) CHECK(out.data()[i] == static_cast<S>(factor * plain.data()[i]));
}

TEST_CASE("sinusoidal: the gradient of the learned factor is that of central differences, and the derived one") {
  const std::string layout = GENERATE("interleaved", "half-split", "timing-signal");
  const data::Values parameters{{"scaled", Value(true)}, {"scale", Value(2.0)}, {"layout", Value(layout)}};
  const auto scheme = check::scheme("sinusoidal", parameters, {9, 1, 512}),
             derived = check::derived("sinusoidal", parameters, {9, 1, 512});
  auto weights = check::random_weights(*scheme, "factor");
  host::Weights<double> by_hand(scheme->weights(), 1), by_tape(scheme->weights(), 1);
  const auto positions = check::positions({0, 3, 500}), by_code = check::random({3, 9}, "gradient");
  Array<double> out({3, 9});
  const auto given = std::as_const(weights).layer(0);
  scheme->encode_gradient<double>(context, positions, given, by_code, by_hand.layer(0));
  derived->encode_gradient<double>(context, positions, given, by_code, by_tape.layer(0));
  const auto loss = [&] {
    scheme->encode<double>(context, positions, given, out);
    return check::inner(out, by_code);
  };
  CHECK(check::is_gradient(loss, weights.arrays()[0][0], by_hand.arrays()[0][0]));
  CHECK(check::largest_difference(by_hand.arrays()[0][0], by_tape.arrays()[0][0]) < 1e-13);
}

TEST_CASE("sinusoidal: claims, and what is refused") {
  const auto claims = [](const data::Values& values, Index D) {
    return check::scheme("sinusoidal", values, {D, 1, 512})->claims(POSLAB_CONSTANT_NORM);
  };
  CHECK(claims({}, 8));
  CHECK_FALSE(claims({}, 9));
  CHECK(claims({{"layout", Value("timing-signal")}}, 9));
  CHECK(check::scheme("sinusoidal", {}, {8, 1, 512})->unique_up_to() == INFINITY);
  CHECK(check::scheme("sinusoidal", {{"scale", Value(0.0)}}, {8, 1, 512})->unique_up_to() == 0);
  CHECK_THROWS_AS(check::scheme("sinusoidal", {{"base", Value(0.0)}}, {8, 1, 512}), base::Error);
  CHECK_THROWS_AS(check::scheme("sinusoidal", {{"base", Value(std::nan(""))}}, {8, 1, 512}), base::Error);
  CHECK_THROWS_WITH(check::scheme("sinusoidal", {{"base", Value(1.0)}}, {8, 1, 512}), check::contains("must not be 1"));
  CHECK(check::scheme("sinusoidal", {{"scaled", Value(true)}}, {8, 1, 512})->unique_up_to() == 0);
  CHECK_THROWS_WITH(
      check::scheme("sinusoidal", {{"layout", Value("timing-signal")}, {"max_timescale", Value(0.5)}}, {8, 1, 512}),
      check::contains("max_timescale must be above min_timescale 1, not 0.5"));
}
