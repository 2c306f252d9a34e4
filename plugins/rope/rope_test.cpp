// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/error.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{64, 512, true};

data::Values parameters(const std::string& style, int rotary_width = -1, double base = 1e4) {
  data::Values values{{"style", Value(style)}, {"base", Value(base)}};
  if (rotary_width >= 0) values.set("rotary_width", Value(std::int64_t{rotary_width}));
  return values;
}

template <class S>
Array<S> rotated(const host::Scheme& scheme, const Array<double>& positions, const Array<S>& x,
                 host::Side side = host::Side::query) {
  Array<S> out = x.copy();
  scheme.transform<S>(context, side, positions, {}, out);
  return out;
}

double product(const Array<double>& a, const Array<double>& b, Index h, Index i, Index j) {
  double sum = 0;
  for (Index k = 0; k < a.extent(2); ++k) sum += a(h, i, k) * b(h, j, k);
  return sum;
}

}  // namespace

TEST_CASE("rope: the formula, in both styles, whole and partial") {
  const bool halves = GENERATE(false, true);
  const Index K = GENERATE(2, 6, 16);
  const Index R = GENERATE(as<Index>(), 0, 2, 6, 16);
  if (R > K) return;
  const double base = GENERATE(1e4, 7.0);
  const Index H = 3, N = 37;  // more than one block of positions
  const auto scheme = check::scheme(
      "rope", parameters(halves ? "half-split" : "interleaved", static_cast<int>(R), base), {H * K, H, 512});
  const auto positions = check::consecutive(N, -5.5);
  const auto x = check::random({H, N, K}, "x");
  const auto out = rotated(*scheme, positions, x);
  for (Index h = 0; h < H; ++h)
    for (Index n = 0; n < N; ++n) {
      for (Index m = 0; m < R / 2; ++m) {
        const Index a = halves ? m : 2 * m, b = halves ? m + R / 2 : 2 * m + 1;
        const double w = std::pow(base, -2.0 * static_cast<double>(m) / static_cast<double>(R)), p = positions(n, 0);
        const double close = 1e-14;
        REQUIRE_THAT(out(h, n, a),
                     check::WithinAbs(x(h, n, a) * std::cos(p * w) - x(h, n, b) * std::sin(p * w), close));
        REQUIRE_THAT(out(h, n, b),
                     check::WithinAbs(x(h, n, b) * std::cos(p * w) + x(h, n, a) * std::sin(p * w), close));
      }
      for (Index k = R; k < K; ++k) REQUIRE(out(h, n, k) == x(h, n, k));
    }
  CHECK(scheme->inverse_frequency().size() == static_cast<std::size_t>(R / 2));
}

TEST_CASE("rope: the last part of a head rotates as the first does, in the channels behind the others") {
  const std::string style = GENERATE("half-split", "interleaved"), scheme = GENERATE("rope", "value-rope", "resonance");
  const Index H = 2, N = 9, K = 10, R = 4;
  data::Values values = parameters(style, R);
  const auto first = check::scheme(scheme, values, {H * K, H, 512});
  values.set("rotary_part", Value(std::string("last")));
  const auto last = check::scheme(scheme, values, {H * K, H, 512});
  const auto positions = check::consecutive(N, -2);
  const auto x = check::random({H, N, K}, "x");
  Array<double> moved({H, N, K});
  for (Index h = 0; h < H; ++h)
    for (Index n = 0; n < N; ++n)
      for (Index k = 0; k < K; ++k) moved(h, n, (k + R) % K) = x(h, n, k);
  const auto ours = rotated(*last, positions, x), theirs = rotated(*first, positions, moved);
  for (Index h = 0; h < H; ++h)
    for (Index n = 0; n < N; ++n)
      for (Index k = 0; k < K; ++k) REQUIRE(ours(h, n, k) == theirs(h, n, (k + R) % K));
  values.set("rotary_width", Value(std::int64_t{K}));
  CHECK_THROWS_WITH(check::scheme(scheme, values, {H * K, H, 512}), check::contains("less than the head width 10"));
}

TEST_CASE("rope: a width that is not given is the head's") {
  const auto scheme = check::scheme("rope", {}, {32, 2, 512});
  CHECK(scheme->inverse_frequency().size() == 8);
  CHECK_THAT(scheme->inverse_frequency()[1], check::WithinRel(std::pow(1e4, -2.0 / 16), 1e-15));
}

TEST_CASE("rope: keeps norms, logits depend on the offset alone, the identity at 0") {
  const std::string style = GENERATE("interleaved", "half-split");
  const auto scheme = check::scheme("rope", parameters(style), {32, 2, 512});
  const auto x = check::random({2, 1, 16}, "q"), y = check::random({2, 1, 16}, "k");
  const auto at = [&](const Array<double>& row, double p, host::Side side) {
    return rotated(*scheme, check::positions({p}), row, side);
  };
  CHECK(check::largest_difference(at(x, 0, host::Side::query), x) == 0);
  for (Index h = 0; h < 2; ++h) {
    const auto far = at(x, 4000, host::Side::query);
    CHECK_THAT(product(far, far, h, 0, 0), check::WithinRel(product(x, x, h, 0, 0), 1e-13));
    for (const double offset : {0.0, 1.0, 37.0, -12.5}) {
      const double here = product(at(x, 100, host::Side::query), at(y, 100 - offset, host::Side::key), h, 0, 0);
      const double there = product(at(x, 3000, host::Side::query), at(y, 3000 - offset, host::Side::key), h, 0, 0);
      CHECK_THAT(here, check::WithinAbs(there, 1e-11));
      if (offset == 0) CHECK_THAT(here, check::WithinAbs(product(x, y, h, 0, 0), 1e-12));
    }
  }
}

TEST_CASE("rope: the two styles are one up to a permutation of channels") {
  const auto pairs = check::scheme("rope", parameters("interleaved"), {16, 2, 512});
  const auto halves = check::scheme("rope", parameters("half-split"), {16, 2, 512});
  const auto positions = check::consecutive(40, 7);
  const auto x = check::random({2, 40, 8}, "x");
  const auto permuted = [](const Array<double>& a) {
    Array<double> out({2, 40, 8});
    for (Index h = 0; h < 2; ++h)
      for (Index n = 0; n < 40; ++n)
        for (Index k = 0; k < 8; ++k) out(h, n, k) = a(h, n, k < 4 ? 2 * k : 2 * (k - 4) + 1);
    return out;
  };
  // The same bits: both kernels, vectors and remainders, work out one formula without fusing.
  CHECK(check::largest_difference(permuted(rotated(*pairs, positions, x)), rotated(*halves, positions, permuted(x))) ==
        0);
}

TEST_CASE("rope: a plane's bits do not depend on its neighbours") {
  const std::string style = GENERATE("interleaved", "half-split");
  for (const int R : {2, 6, 10, 14, 22}) {  // widths that leave remainders of every kind to the vectors
    const auto scheme = check::scheme("rope", parameters(style, R), {22, 1, 512});
    const auto positions = check::consecutive(9, 3);
    const auto x = check::random({1, 9, 22}, "x");
    const auto out = rotated(*scheme, positions, x);
    const auto w = scheme->inverse_frequency();
    Array<double> planes({1, 9, 22});
    for (Index n = 0; n < 9; ++n)
      for (Index m = 0; m < R / 2; ++m) {  // a head of one plane, rotated by the same angle, through the scheme itself
        const auto alone = check::scheme("rope", parameters(style, 2), {2, 1, 512});
        Array<double> pair({1, 1, 2});
        const bool halves = style == "half-split";
        const Index a = halves ? m : 2 * m, b = halves ? m + R / 2 : 2 * m + 1;
        pair(0, 0, 0) = x(0, n, a), pair(0, 0, 1) = x(0, n, b);
        const auto one = rotated(*alone, check::positions({positions(n, 0) * w[static_cast<std::size_t>(m)]}), pair);
        REQUIRE(one(0, 0, 0) == out(0, n, a));
        REQUIRE(one(0, 0, 1) == out(0, n, b));
      }
  }
}

TEST_CASE("rope: the gradient rotates back") {
  const std::string style = GENERATE("interleaved", "half-split");
  const auto scheme = check::scheme("rope", parameters(style, 6), {16, 2, 512});
  const auto positions = check::positions({0, 3, 1000.5});
  auto x = check::random({2, 3, 8}, "x");
  const auto seed = check::random({2, 3, 8}, "g");
  const auto loss = [&] { return check::inner(rotated(*scheme, positions, x), seed); };
  Array<double> gradient = seed.copy();
  scheme->transform_gradient<double>(context, host::Side::query, positions, {}, gradient, {});
  CHECK(check::is_gradient(loss, x, gradient, 1e-8));
  Array<double> there_and_back = rotated(*scheme, positions, x);
  scheme->transform_gradient<double>(context, host::Side::query, positions, {}, there_and_back, {});
  CHECK(check::largest_difference(there_and_back, x) < 1e-14);
}

TEST_CASE("rope: float32 takes its angles from float64") {
  const auto scheme = check::scheme("rope", {}, {64, 1, 512});
  const auto positions = check::positions({1e6, 16777217, 3e7 + 0.5});  // the last two are no float32
  const auto x = check::random({1, 3, 64}, "x");
  Array<float> narrow({1, 3, 64});
  for (Index i = 0; i < x.size(); ++i) narrow.data()[i] = static_cast<float>(x.data()[i]);
  CHECK(check::largest_difference(rotated(*scheme, positions, narrow), rotated(*scheme, positions, x)) < 2e-6);
}

TEST_CASE("rope: claims, and what is refused") {
  const auto scheme = check::scheme("rope", {}, {32, 2, 512});
  for (const poslab_claim claim :
       {POSLAB_ISOMETRY, POSLAB_RELATIVE, POSLAB_CONTENT_FREE, POSLAB_LENGTH_FREE, POSLAB_BOUNDED})
    CHECK(scheme->claims(claim));
  CHECK(scheme->weights().empty());
  CHECK_THROWS_WITH(check::scheme("rope", {}, {10, 2, 512}),
                    check::contains("even and at most the head width 5, not 5"));
  CHECK_THROWS_WITH(check::scheme("rope", parameters("interleaved", 10), {16, 2, 512}),
                    check::contains("head width 8, not 10"));
  CHECK_THROWS_AS(check::scheme("rope", parameters("interleaved", -1, 0), {16, 2, 512}), base::Error);
  CHECK_THROWS_AS(check::scheme("rope", parameters("sideways"), {16, 2, 512}), base::Error);
}
