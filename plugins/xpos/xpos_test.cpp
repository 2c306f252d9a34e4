// SPDX-License-Identifier: Apache-2.0
// Dimension letters: H heads, K head width, m a plane, N length of the context.
#include "poslab/base/error.hpp"
#include "poslab/data/refusal.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

data::Values parameters(const std::string& centre, double scale_base = 512, double gamma = 0.4) {
  return {{"centre", Value(centre)}, {"scale_base", Value(scale_base)}, {"gamma", Value(gamma)}};
}

Array<double> rotated(const host::Scheme& scheme, const Array<double>& positions, const Array<double>& x,
                      host::Side side, Index length) {
  Array<double> out = x.copy();
  scheme.transform<double>({length, 512, true}, side, positions, {}, out);
  return out;
}

double product(const Array<double>& a, const Array<double>& b, Index h) {
  double sum = 0;
  for (Index k = 0; k < a.extent(2); ++k) sum += a(h, 0, k) * b(h, 0, k);
  return sum;
}

// q_i . k_j as the scheme rotates them.
double logit(const host::Scheme& scheme, const Array<double>& q, const Array<double>& k, double i, double j, Index h,
             Index length) {
  return product(rotated(scheme, check::positions({i}), q, host::Side::query, length),
                 rotated(scheme, check::positions({j}), k, host::Side::key, length), h);
}

}  // namespace

TEST_CASE("xpos: the formula, for every centre, length and side") {
  const std::string centre = GENERATE("torchscale", "x-transformers", "none");
  const Index N = GENERATE(as<Index>(), 1, 5, 8, 40);
  const Index H = 2, K = 6;
  const auto side = GENERATE(host::Side::query, host::Side::key);
  const auto scheme = check::scheme("xpos", parameters(centre, 64, 0.3), {H * K, H, 512});
  const auto positions = check::consecutive(N), x = check::random({H, N, K}, "x");
  const auto out = rotated(*scheme, positions, x, side, N);
  // N // 2 rounds down, -N // 2 (torchscale) away from 0
  const double c = centre == "none"         ? 0
                   : centre == "torchscale" ? -static_cast<double>((N + 1) / 2)
                                            : -static_cast<double>(N / 2);
  for (Index h = 0; h < H; ++h)
    for (Index n = 0; n < N; ++n)
      for (Index m = 0; m < K / 2; ++m) {
        const double p = static_cast<double>(n), angle = p * std::pow(1e4, -2.0 * static_cast<double>(m) / K);
        const double zeta = (2.0 * static_cast<double>(m) / K + 0.3) / 1.3;
        const double t = std::pow(zeta, (side == host::Side::query ? 1 : -1) * (p + c) / 64);
        const double a = x(h, n, 2 * m), b = x(h, n, 2 * m + 1);
        REQUIRE_THAT(out(h, n, 2 * m), check::WithinAbs(t * (a * std::cos(angle) - b * std::sin(angle)), 1e-13));
        REQUIRE_THAT(out(h, n, 2 * m + 1), check::WithinAbs(t * (b * std::cos(angle) + a * std::sin(angle)), 1e-13));
      }
}

TEST_CASE("xpos: logits depend on the offset alone, whatever centre and length, and decay into the past") {
  const auto q = check::random({1, 1, 8}, "q"), k = check::random({1, 1, 8}, "k");
  const auto none = check::scheme("xpos", parameters("none"), {8, 1, 512});
  for (const double offset : {0.0, 3.0, 250.0, -40.0}) {
    const double wanted = logit(*none, q, k, 300, 300 - offset, 0, 1);
    for (const char* centre : {"torchscale", "x-transformers", "none"}) {
      const auto scheme = check::scheme("xpos", parameters(centre), {8, 1, 512});
      for (const Index length : {Index{400}, Index{8001}})
        CHECK_THAT(logit(*scheme, q, k, 1000, 1000 - offset, 0, length), check::WithinRel(wanted, 1e-10));
    }
  }
  // With q = k = (1, 0, 1, 0, ...) the logit is sum_m zeta_m^((i - j)/512) cos((i - j) w_m).
  Array<double> ones({1, 1, 8});
  for (Index m = 0; m < 4; ++m) ones(0, 0, 2 * m) = 1;
  double sum = 0;
  for (int m = 0; m < 4; ++m)
    sum += std::pow((2.0 * m / 8 + 0.4) / 1.4, 700 / 512.0) * std::cos(700 * std::pow(1e4, -2.0 * m / 8));
  CHECK_THAT(logit(*none, ones, ones, 900, 200, 0, 1), check::WithinRel(sum, 1e-12));
}

TEST_CASE("xpos: for equal contents the logit of 64 channels stays positive up to 4096, RoPE's does not") {
  const auto lowest = [](const std::string& id, const data::Values& values) {
    const auto scheme = check::scheme(id, values, {64, 1, 512});
    Array<double> rows({1, 4097, 64}), key({1, 1, 64});
    for (Index m = 0; m < 64; m += 2) {
      key(0, 0, m) = 1;
      for (Index n = 0; n < 4097; ++n) rows(0, n, m) = 1;
    }
    const auto queries = rotated(*scheme, check::consecutive(4097), rows, host::Side::query, 1);
    double least = INFINITY;
    for (Index n = 0; n < 4097; ++n) {
      double sum = 0;
      for (Index c = 0; c < 64; ++c) sum += queries(0, n, c) * key(0, 0, c);  // a key at 0 is as it was
      least = std::min(least, sum);
    }
    return least;
  };
  CHECK(lowest("xpos", parameters("none")) > 0);
  CHECK(lowest("rope", {}) < 0);
}

TEST_CASE("xpos: the gradient is the transpose of what it does, stretches and all") {
  const auto scheme = check::scheme("xpos", parameters("torchscale", 16), {16, 2, 512});
  const auto positions = check::consecutive(9);
  const auto x = check::random({2, 9, 8}, "x"), g = check::random({2, 9, 8}, "g");
  Array<double> back = g.copy();
  scheme->transform_gradient<double>({9, 512, true}, host::Side::key, positions, {}, back, {});
  CHECK_THAT(check::inner(rotated(*scheme, positions, x, host::Side::key, 9), g),
             check::WithinAbs(check::inner(x, back), 1e-12));
}

TEST_CASE("xpos: claims, mask, and where its magnitudes end") {
  const auto scheme = check::scheme("xpos", {}, {32, 4, 64});
  CHECK(scheme->claims(POSLAB_RELATIVE));
  CHECK(scheme->claims(POSLAB_CONTENT_FREE));
  CHECK_FALSE(scheme->claims(POSLAB_ISOMETRY));
  CHECK_FALSE(scheme->claims(POSLAB_BOUNDED));
  CHECK_FALSE(scheme->claims(POSLAB_LENGTH_FREE));
  CHECK(check::scheme("xpos", parameters("none"), {32, 4, 64})->claims(POSLAB_LENGTH_FREE));
  CHECK(scheme->mask() == host::Mask::causal_only);
  // zeta^e of the fastest plane stays within 1e-18 .. 1e18: e = 18 ln 10 / ln 3.5.
  CHECK_THAT(scheme->highest_position(), check::WithinRel(512 * 18 * std::log(10) / std::log(3.5), 1e-14));
  CHECK(scheme->lowest_position() == -scheme->highest_position());
  const auto x = check::random({4, 1, 8}, "x");
  const auto edge = check::positions({scheme->highest_position()});
  for (const Index length : {Index{1}, Index{16940}})
    for (const auto side : {host::Side::query, host::Side::key}) {
      const Array<double> out = rotated(*scheme, edge, x, side, length);
      for (const double value : out.flat()) CHECK(std::isfinite(value));
    }
  CHECK_THROWS_AS(rotated(*scheme, check::positions({17000}), x, host::Side::key, 64), data::PositionOutOfRange);
  CHECK_THROWS_WITH(rotated(*scheme, check::positions({0}), x, host::Side::key, 10000000),
                    check::contains("overflows"));
  CHECK_THROWS_AS(check::scheme("xpos", parameters("none", 0), {32, 4, 64}), base::Error);
  CHECK_THROWS_AS(check::scheme("xpos", parameters("none", 512, 0), {32, 4, 64}), base::Error);
  CHECK_THROWS_WITH(check::scheme("xpos", {}, {10, 2, 64}), check::contains("channels are rotated in pairs"));
}
