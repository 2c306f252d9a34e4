// SPDX-License-Identifier: Apache-2.0
// Against its formula: a value arrives rotated by the offset. Dimension letters: H heads, N positions, K head width.
#include "poslab/attention/attention.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

constexpr Index H = 2, K = 8, N = 11;

std::unique_ptr<host::Scheme> scheme_of(const data::Values& parameters = {}) {
  return check::scheme("value-rope", parameters, {H * K, H, 64});
}

// Rot(angle_i) on the channels 2i and 2i + 1 of a row of K.
void turn(const double* x, double offset, double factor, double* sum) {
  for (Index i = 0; i < K / 2; ++i) {
    const double angle = offset * std::pow(10000.0, -2.0 * static_cast<double>(i) / K), a = x[2 * i], b = x[2 * i + 1];
    sum[2 * i] += factor * (a * std::cos(angle) - b * std::sin(angle));
    sum[2 * i + 1] += factor * (a * std::sin(angle) + b * std::cos(angle));
  }
}

}  // namespace

TEST_CASE("value-rope: a query reads values that are rotated by their offset to it") {
  const bool causal = GENERATE(true, false), logits = GENERATE(true, false);
  const auto scheme = scheme_of({{"logits", Value(logits)}});
  const auto positions = check::consecutive(N, 3), q = check::random({H, N, K}, "q"), k = check::random({H, N, K}, "k"),
             v = check::random({H, N, K}, "v");
  Array<double> out({H, N, K}), expected({H, N, K}), attention({H, N, N});
  const attention::Layer<double> layer{scheme.get(), {N, 64, causal}, positions, {}};
  attention::attend<double>(layer, {q, k, {}}, v, out, [&](Index, Index first, base::View<const double> seen) {
    for (Index h = 0; h < H; ++h)
      for (Index i = 0; i < seen.shape[1]; ++i)
        for (Index j = 0; j < seen.shape[2]; ++j) attention(h, first + i, j) = seen(h, i, j);
  });
  for (Index h = 0; h < H; ++h)
    for (Index m = 0; m < N; ++m)
      for (Index n = 0; n < N; ++n)
        turn(&v(h, n, 0), static_cast<double>(n - m), attention(h, m, n), &expected(h, m, 0));
  CHECK(check::largest_difference(out, expected) < 1e-14);
}

TEST_CASE("value-rope: its logits are RoPE's, or those without positions") {
  const bool logits = GENERATE(true, false);
  const auto scheme = scheme_of({{"logits", Value(logits)}});
  const auto rope = check::scheme("rope", {}, {H * K, H, 64});
  const auto positions = check::consecutive(N, -4), x = check::random({H, N, K}, "x");
  for (const host::Side side : {host::Side::query, host::Side::key}) {
    Array<double> ours = x.copy(), expected = x.copy();
    scheme->transform<double>({N, 64, false}, side, positions, {}, ours);
    if (logits) rope->transform<double>({N, 64, false}, side, positions, {}, expected);
    CHECK(check::largest_difference(ours, expected) == 0);
    CHECK(scheme->transforms(side) == logits);
  }
  CHECK_FALSE(rope->transforms(host::Side::value));
  CHECK(scheme->transforms(host::Side::output));
}

TEST_CASE("value-rope: outputs are turned back, and so are gradients of values") {
  const auto scheme = scheme_of({{"rotary_width", Value(std::int64_t{6})}});
  const auto positions = check::consecutive(N), x = check::random({H, N, K}, "x");
  const host::Context context{N, 64, false};
  Array<double> there_and_back = x.copy(), value_gradient = x.copy(), output = x.copy();
  scheme->transform<double>(context, host::Side::value, positions, {}, there_and_back);
  scheme->transform<double>(context, host::Side::output, positions, {}, there_and_back);
  CHECK(check::largest_difference(there_and_back, x) < 1e-15);
  scheme->transform_gradient<double>(context, host::Side::value, positions, {}, value_gradient, {});
  scheme->transform<double>(context, host::Side::output, positions, {}, output);
  CHECK(check::largest_difference(value_gradient, output) == 0);
}
