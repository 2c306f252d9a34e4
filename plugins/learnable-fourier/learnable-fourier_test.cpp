// SPDX-License-Identifier: Apache-2.0
// Dimension letters: F Fourier features, N hidden channels, D model width, G groups, M axes of a group.
#include "poslab/base/error.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{64, 512, true};

Value whole(std::int64_t i) { return i; }

data::Values sizes(Index F, Index N, Index G, Index M) {
  return {{"fourier_width", whole(F)}, {"hidden", whole(N)}, {"groups", whole(G)}, {"group_axes", whole(M)}};
}

// The paper's algorithm 1, sum by sum, of the axes of one group.
template <class S>
std::vector<double> code_of(const host::Weights<S>& weights, const std::vector<double>& x) {
  const auto& Wr = weights.arrays()[0][0];
  const auto& W1 = weights.arrays()[1][0];
  const auto& b1 = weights.arrays()[2][0];
  const auto& W2 = weights.arrays()[3][0];
  const auto& b2 = weights.arrays()[4][0];
  const Index half = Wr.extent(0), N = W1.extent(0);
  std::vector<double> code;
  for (Index d = 0; d < W2.extent(0); ++d) {
    code.push_back(static_cast<double>(b2.data()[d]));
    for (Index n = 0; n < N; ++n) {
      double z = static_cast<double>(b1.data()[n]);
      for (Index i = 0; i < half; ++i) {
        double angle = 0;
        for (Index a = 0; a < Wr.extent(1); ++a)
          angle += static_cast<double>(Wr(i, a)) * x[static_cast<std::size_t>(a)];
        const double root = std::sqrt(2.0 * static_cast<double>(half));
        z += static_cast<double>(W1(n, i)) * std::cos(angle) / root;
        z += static_cast<double>(W1(n, half + i)) * std::sin(angle) / root;
      }
      const double normal_integral = 0.5 * std::erfc(-z / std::sqrt(2.0));
      code.back() += static_cast<double>(W2(d, n)) * z * normal_integral;
    }
  }
  return code;
}

}  // namespace

TEMPLATE_TEST_CASE("learnable-fourier: the paper's algorithm, one group or several", "", float, double) {
  using S = TestType;
  const Index G = GENERATE(1, 2), M = GENERATE(1, 2), F = 6, N = 5, D = 8, A = G * M;
  const auto scheme = check::scheme("learnable-fourier", sizes(F, N, G, M), {D, 2, 512});
  const auto weights = check::random_weights<S>(*scheme, "network");
  const auto positions = check::random({4, A}, "positions");
  Array<S> out({4, D});
  scheme->template encode<S>(context, positions, weights.layer(0), out);
  for (Index n = 0; n < 4; ++n)
    for (Index g = 0; g < G; ++g) {
      std::vector<double> x;
      for (Index a = 0; a < M; ++a) x.push_back(positions(n, g * M + a));
      const auto wanted = code_of(weights, x);
      REQUIRE(wanted.size() == static_cast<std::size_t>(D / G));
      for (Index d = 0; d < D / G; ++d)
        CHECK_THAT(static_cast<double>(out(n, g * (D / G) + d)),
                   check::WithinAbs(wanted[static_cast<std::size_t>(d)], 40 * std::numeric_limits<S>::epsilon()));
    }
}

TEST_CASE("learnable-fourier: the derived gradients are those of central differences") {
  const auto scheme = check::scheme("learnable-fourier", sizes(4, 3, 2, 1), {6, 2, 512});
  auto weights = check::random_weights(*scheme, "network");
  host::Weights<double> gradient(scheme->weights(), 1);
  const auto positions = check::random({3, 2}, "positions"), by_code = check::random({3, 6}, "gradient");
  Array<double> out({3, 6});
  const auto given = std::as_const(weights).layer(0);
  scheme->encode_gradient<double>(context, positions, given, by_code, gradient.layer(0));
  const auto loss = [&] {
    scheme->encode<double>(context, positions, given, out);
    return check::inner(out, by_code);
  };
  for (std::size_t w = 0; w < 5; ++w) CHECK(check::is_gradient(loss, weights.arrays()[w][0], gradient.arrays()[w][0]));
}

TEST_CASE("learnable-fourier: what it draws") {
  const auto scheme = check::scheme("learnable-fourier", {{"gamma", Value(10.0)}}, {33, 3, 512});
  const auto& weights = scheme->weights();
  REQUIRE(weights.size() == 5);
  CHECK(weights[0].shape == std::array<Index, 4>{16, 1, 1, 1});  // F: the width, made even
  CHECK(weights[0].second == 0.1);                               // 1 / gamma, not its square
  CHECK(weights[1].shape == std::array<Index, 4>{32, 32, 1, 1});
  CHECK(weights[1].second == 1 / std::sqrt(32.0));
  CHECK(weights[3].shape == std::array<Index, 4>{33, 32, 1, 1});
  for (const std::size_t bias : {2U, 4U}) CHECK(weights[bias].initialisation == POSLAB_CONSTANT);
  for (const auto& weight : weights) CHECK_FALSE(weight.frozen);
}

TEST_CASE("learnable-fourier: claims, and what is refused") {
  const auto scheme = check::scheme("learnable-fourier", {}, {32, 4, 64});
  for (const poslab_claim claim : {POSLAB_CONTENT_FREE, POSLAB_LENGTH_FREE, POSLAB_BOUNDED})
    CHECK(scheme->claims(claim));
  CHECK_FALSE(scheme->claims(POSLAB_CONSTANT_NORM));
  const auto make = [](const data::Values& values, Index D) {
    return check::scheme("learnable-fourier", values, {D, 1, 512});
  };
  CHECK_THROWS_WITH(make({{"fourier_width", whole(7)}}, 8), check::contains("fourier_width must be even, not 7"));
  CHECK_THROWS_WITH(make(sizes(4, 3, 3, 2), 9), check::contains("at most 4 numbers, not groups * group_axes = 6"));
  CHECK_THROWS_WITH(make(sizes(4, 3, 2, 2), 9), check::contains("2 groups do not divide the model width 9"));
  CHECK_THROWS_AS(make({{"gamma", Value(0.0)}}, 8), base::Error);
  CHECK_THROWS_WITH(make(sizes(4, 3, 2, 1), 8)->require_positions(check::positions({1}).view()),
                    check::contains("serves positions of 2 axes, not of 1"));
}
