// SPDX-License-Identifier: Apache-2.0
#include <numbers>

#include "poslab/base/error.hpp"
#include "poslab/data/draws.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

constexpr double two_pi = 2 * std::numbers::pi;

Value whole(std::int64_t i) { return i; }
Value numbers(std::vector<double> all) { return all; }

}  // namespace

TEMPLATE_TEST_CASE("random-fourier: cosines and sines of 2 pi B v, in both orders", "", float, double) {
  using S = TestType;
  const bool sines_first = GENERATE(false, true);
  const Index F = 3, D = 8, length = GENERATE(9, 1);
  const auto scheme = check::scheme(
      "random-fourier", {{"features", whole(F)}, {"order", Value(sines_first ? "sin-cos" : "cos-sin")}}, {D, 1, 512});
  const auto weights = check::random_weights<S>(*scheme, "B");
  const auto& B = weights.arrays()[0][0];
  const auto positions = check::positions({0, 1, 8, 3.5, -2, 1e6});
  Array<S> out({6, D});
  scheme->template encode<S>({length, 512, true}, positions, weights.layer(0), out);
  for (Index n = 0; n < 6; ++n)
    for (Index c = 0; c < D; ++c) {
      const double v = length == 1 ? 0 : positions(n, 0) / static_cast<double>(length - 1);
      const bool cosine = (c < F) != sines_first;
      const long double angle = static_cast<long double>(two_pi) * v * static_cast<double>(B(c % F, 0));
      const double wanted = c >= 2 * F ? 0 : static_cast<double>(cosine ? std::cos(angle) : std::sin(angle));
      const double close = std::numeric_limits<S>::epsilon() + 4e-16 * std::abs(static_cast<double>(angle));
      CHECK_THAT(static_cast<double>(out(n, c)), check::WithinAbs(wanted, close));
    }
}

TEST_CASE("random-fourier: axes add up, by the grid or as they are") {
  const bool by_grid = GENERATE(true, false);
  data::Values parameters{{"grid", numbers({5, 9, 2})}};
  if (!by_grid) parameters.set("normalise_by", Value("none"));
  const auto scheme = check::scheme("random-fourier", parameters, {10, 1, 512});
  const auto weights = check::random_weights(*scheme, "B");
  const auto& B = weights.arrays()[0][0];
  CHECK(B.extent(0) == 5);
  CHECK(B.extent(1) == 3);
  Array<double> at({1, 3}), out({1, 10});
  at(0, 0) = 3, at(0, 1) = 1, at(0, 2) = 0.5;
  scheme->encode<double>({64, 512, true}, at, weights.layer(0), out);
  for (Index i = 0; i < 5; ++i) {
    const double angle =
        two_pi * (by_grid ? B(i, 0) * 3 / 4 + B(i, 1) / 8 + B(i, 2) / 2 : B(i, 0) * 3 + B(i, 1) + B(i, 2) / 2);
    CHECK_THAT(out(0, i), check::WithinAbs(std::cos(angle), 1e-13));
    CHECK_THAT(out(0, 5 + i), check::WithinAbs(std::sin(angle), 1e-13));
  }
}

TEST_CASE("random-fourier: directions are drawn with sigma, frozen, and make a Gaussian kernel") {
  const double sigma = 2;
  const Index F = 4096;
  const auto scheme = check::scheme("random-fourier", {{"sigma", Value(sigma)}}, {2 * F, 1, 512});
  REQUIRE(scheme->weights().size() == 1);
  CHECK(scheme->weights()[0].frozen);
  CHECK_FALSE(scheme->weights()[0].per_layer);
  CHECK(scheme->draws_weights());
  const auto weights = scheme->draw_weights(data::Draws(1, "test", "random-fourier", 0));
  const auto positions = check::positions({20, 20, 26, 30});
  Array<double> out({4, 2 * F});
  scheme->encode<double>({101, 512, true}, positions, weights.layer(0), out);
  for (Index n = 0; n < 4; ++n) {
    double product = 0, square = 0;
    for (Index c = 0; c < 2 * F; ++c) product += out(0, c) * out(n, c), square += out(n, c) * out(n, c);
    CHECK_THAT(square, check::WithinRel(static_cast<double>(F), 1e-13));
    const double apart = (positions(n, 0) - 20) / 100;
    const double kernel = std::exp(-2 * std::numbers::pi * std::numbers::pi * sigma * sigma * apart * apart);
    CHECK_THAT(product / static_cast<double>(F), check::WithinAbs(kernel, 0.06));  // 5 standard errors, 0.71 / sqrt(F)
  }
}

TEST_CASE("random-fourier: the derived gradient is that of central differences") {
  const auto scheme = check::scheme("random-fourier", {{"grid", numbers({5, 9})}}, {7, 1, 512});
  auto weights = check::random_weights(*scheme, "B");
  host::Weights<double> gradient(scheme->weights(), 1);
  Array<double> at({3, 2}), out({3, 7});
  for (Index i = 0; i < 6; ++i) at.data()[i] = static_cast<double>(i * i % 5);
  const auto by_code = check::random({3, 7}, "gradient");
  const auto given = std::as_const(weights).layer(0);
  scheme->encode_gradient<double>({64, 512, true}, at, given, by_code, gradient.layer(0));
  const auto loss = [&] {
    scheme->encode<double>({64, 512, true}, at, given, out);
    return check::inner(out, by_code);
  };
  CHECK(check::is_gradient(loss, weights.arrays()[0][0], gradient.arrays()[0][0]));
}

TEST_CASE("random-fourier: claims, and what is refused") {
  const auto make = [](const data::Values& values, Index D = 16) {
    return check::scheme("random-fourier", values, {D, 1, 512});
  };
  for (const poslab_claim claim : {POSLAB_CONTENT_FREE, POSLAB_BOUNDED, POSLAB_CONSTANT_NORM})
    CHECK(make({})->claims(claim));
  CHECK_FALSE(make({})->claims(POSLAB_LENGTH_FREE));
  CHECK(make({{"normalise_by", Value("none")}})->claims(POSLAB_LENGTH_FREE));
  CHECK(make({{"grid", numbers({4, 4})}})->claims(POSLAB_LENGTH_FREE));
  CHECK_THROWS_WITH(make({{"features", whole(9)}}), check::contains("features must be 1 to 8"));
  CHECK_THROWS_WITH(make({}, 1), check::contains("features must be 1 to 0"));
  CHECK_THROWS_WITH(make({{"position_axes", whole(2)}}), check::contains("cannot be normalised by the length"));
  CHECK_THROWS_WITH(make({{"normalise_by", Value("grid")}}), check::contains("needs the parameter grid"));
  CHECK_THROWS_WITH(make({{"grid", numbers({4, 4})}, {"position_axes", whole(3)}}),
                    check::contains("grid has 2 numbers, but a position has 3"));
  CHECK_THROWS_WITH(make({{"grid", numbers({4, 4, 4, 4})}}), check::contains("1 to 3 numbers"));
  CHECK_THROWS_AS(make({{"sigma", Value(0.0)}}), base::Error);
  const auto plane = make({{"grid", numbers({4, 4})}});
  CHECK_THROWS_WITH(plane->require_positions(check::positions({1}).view()),
                    check::contains("serves positions of 2 axes, not of 1"));
}
