// SPDX-License-Identifier: Apache-2.0
// Dimension letters: V words, C complex channels, D model width.
#include "poslab/base/error.hpp"
#include "poslab/data/refusal.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{64, 512, true};

data::Values words(std::int64_t V, bool phases = true) { return {{"vocabulary", Value(V)}, {"phases", Value(phases)}}; }

// (position, word) of four tokens.
Array<double> tokens() {
  const double numbers[4][2] = {{0, 2}, {3, 0}, {-7.5, 2}, {1e6, 1}};
  Array<double> out({4, 2});
  for (Index n = 0; n < 4; ++n) out(n, 0) = numbers[n][0], out(n, 1) = numbers[n][1];
  return out;
}

}  // namespace

TEMPLATE_TEST_CASE("complex-order: real parts, then imaginary ones, of every word's own waves", "", float, double) {
  using S = TestType;
  const bool phases = GENERATE(true, false);
  const Index V = 3, D = GENERATE(8, 9, 2), C = D / 2;
  const auto scheme = check::scheme("complex-order", words(V, phases), {D, 1, 512});
  const auto weights = check::random_weights<S>(*scheme, "tables");
  REQUIRE(weights.arrays().size() == (phases ? 3U : 2U));
  const auto at = tokens();
  Array<S> out({4, D});
  scheme->template encode<S>(context, at, weights.layer(0), out);
  for (Index n = 0; n < 4; ++n)
    for (Index c = 0; c < D; ++c) {
      const auto j = static_cast<Index>(at(n, 1));
      const auto of = [&](std::size_t w) { return static_cast<double>(weights.arrays()[w][0](j, c % C)); };
      const long double angle = static_cast<long double>(of(1)) * at(n, 0) + (phases ? of(2) : 0);
      const double wave = static_cast<double>(c < C ? std::cos(angle) : std::sin(angle));
      const double close =
          std::abs(of(0)) * (std::numeric_limits<S>::epsilon() + 3e-16 * std::abs(static_cast<double>(angle)));
      CHECK_THAT(static_cast<double>(out(n, c)), check::WithinAbs(c < 2 * C ? of(0) * wave : 0, close));
    }
}

TEST_CASE("complex-order: a shift rotates every complex channel by its own angle, the norm is the word's") {
  const auto scheme = check::scheme("complex-order", {}, {6, 1, 512});
  const auto weights = check::random_weights(*scheme, "tables");
  CHECK(weights.arrays()[0][0].extent(0) == 1);
  const auto &r = weights.arrays()[0][0], &omega = weights.arrays()[1][0];
  Array<double> out({3, 6});
  scheme->encode<double>(context, check::positions({2, 7, 1e5}), weights.layer(0), out);
  double size = 0;
  for (Index c = 0; c < 3; ++c) {
    size += r(0, c) * r(0, c);
    const double rotation = 5 * omega(0, c);
    CHECK_THAT(out(1, c), check::WithinAbs(out(0, c) * std::cos(rotation) - out(0, 3 + c) * std::sin(rotation), 1e-13));
  }
  for (Index n = 0; n < 3; ++n) {
    double square = 0;
    for (Index c = 0; c < 6; ++c) square += out(n, c) * out(n, c);
    CHECK_THAT(square, check::WithinRel(size, 1e-14));
  }
}

TEST_CASE("complex-order: the derived gradients are those of central differences") {
  const auto scheme = check::scheme("complex-order", words(3), {6, 1, 512});
  auto weights = check::random_weights(*scheme, "tables");
  host::Weights<double> gradient(scheme->weights(), 1);
  Array<double> at({4, 2}), out({4, 6});
  for (Index n = 0; n < 4; ++n) at(n, 0) = static_cast<double>(n), at(n, 1) = static_cast<double>(n % 2 * 2);
  const auto by_code = check::random({4, 6}, "gradient");
  const auto given = std::as_const(weights).layer(0);
  scheme->encode_gradient<double>(context, at, given, by_code, gradient.layer(0));
  const auto loss = [&] {
    scheme->encode<double>(context, at, given, out);
    return check::inner(out, by_code);
  };
  for (std::size_t w = 0; w < 3; ++w) CHECK(check::is_gradient(loss, weights.arrays()[w][0], gradient.arrays()[w][0]));
}

TEST_CASE("complex-order: claims, words, and what is refused") {
  const auto one = check::scheme("complex-order", {}, {8, 1, 512}),
             many = check::scheme("complex-order", words(3), {8, 1, 512});
  for (const poslab_claim claim : {POSLAB_CONTENT_FREE, POSLAB_LENGTH_FREE, POSLAB_BOUNDED, POSLAB_CONSTANT_NORM})
    CHECK(one->claims(claim));
  CHECK_FALSE(many->claims(POSLAB_CONTENT_FREE));
  CHECK_FALSE(many->claims(POSLAB_CONSTANT_NORM));
  CHECK(one->weights()[0].first == -1);
  CHECK(one->weights()[1].second == 1);
  const auto weights = check::random_weights(*many, "tables");
  const auto encode = [&](const Array<double>& at) {
    Array<double> out({at.extent(0), 8});
    many->encode<double>(context, at, weights.layer(0), out);
    return out;
  };
  Array<double> at({1, 2});
  at(0, 0) = 4;
  CHECK(check::largest_difference(encode(at), encode(check::positions({4}))) == 0);  // without a word: word 0
  for (const double word : {3.0, -1.0, 0.5}) {
    at(0, 1) = word;
    CHECK_THROWS_AS(encode(at), data::PositionOutOfRange);
    CHECK_THROWS_WITH(encode(at), check::contains("is none of 0 to 2"));
  }
  CHECK_THROWS_WITH(one->require_positions(tokens().view()), check::contains("serves positions of 1 axis, not of 2"));
  CHECK_THROWS_WITH(check::scheme("complex-order", {}, {1, 1, 512}), check::contains("at least 2"));
}
