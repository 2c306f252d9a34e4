// SPDX-License-Identifier: Apache-2.0
// Values that rotate and outputs that rotate back, against the sum that they come to. Dimension letters: H heads, N
// positions, K head width.
#include "catch.hpp"
#include "poslab/attention/attention.hpp"
#include "schemes.hpp"

using namespace poslab;
using test::Array;
using test::Index;

namespace {

constexpr Index H = 2, K = 8;

// Rot(angle_i) on the channels 2i and 2i + 1 of a row of K.
void turn(const double* x, double offset, double factor, double* sum) {
  for (Index i = 0; i < K / 2; ++i) {
    const double angle = offset * std::pow(10000.0, -2.0 * static_cast<double>(i) / K), a = x[2 * i], b = x[2 * i + 1];
    sum[2 * i] += factor * (a * std::cos(angle) - b * std::sin(angle));
    sum[2 * i + 1] += factor * (a * std::sin(angle) + b * std::cos(angle));
  }
}

}  // namespace

TEST_CASE("a query reads values that are rotated by their offset to it") {
  const bool causal = GENERATE(true, false), logits = GENERATE(true, false);
  const Index N = GENERATE(11, 150);
  const test::Subject<double> subject("value-rope", {H * K, H, 64}, {{"logits", logits}});
  const Array<double> positions = test::positions(N), q = test::normal<double>("q", {H, N, K}),
                      k = test::normal<double>("k", {H, N, K}), v = test::normal<double>("v", {H, N, K});
  Array<double> out{H, N, K}, expected{H, N, K}, attention{H, N, N};
  const attention::Layer<double> layer{&subject.scheme, {N, 64, causal}, positions, {}};
  attention::attend<double>(layer, {q, k, {}}, v, out, [&](Index, Index first, base::View<const double> seen) {
    for (Index h = 0; h < H; ++h)
      for (Index i = 0; i < seen.shape[1]; ++i)
        for (Index j = 0; j < seen.shape[2]; ++j) attention(h, first + i, j) = seen(h, i, j);
  });
  double largest = 0;
  for (Index h = 0; h < H; ++h)
    for (Index m = 0; m < N; ++m) {
      for (Index n = 0; n < N; ++n)
        turn(&v(h, n, 0), static_cast<double>(n - m), attention(h, m, n), &expected(h, m, 0));
      for (Index a = 0; a < K; ++a) largest = std::max(largest, std::abs(out(h, m, a) - expected(h, m, a)));
    }
  CHECK(largest < 1e-13);
}
