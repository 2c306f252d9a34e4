// SPDX-License-Identifier: Apache-2.0
// Its formula is also held by the golden cases of tests/golden/made.py. Dimension letters: H heads, N positions, K head
// width, F frequencies, P planes with a series.
#include "poslab/base/error.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

constexpr Index H = 2, N = 9;
const host::Context context{64, 512, false};

data::Values values(const std::string& form, const std::string& padding, int frequencies) {
  return {{"form", Value(form)}, {"padding", Value(padding)}, {"frequencies", Value(std::int64_t{frequencies})}};
}

template <class S>
Array<S> turned(const host::Scheme& scheme, const Array<double>& positions, const Array<S>& x,
                const host::Weights<S>& weights) {
  Array<S> out = x.copy();
  scheme.transform<S>(context, host::Side::key, positions, weights.layer(0), out);
  return out;
}

}  // namespace

TEMPLATE_TEST_CASE("fope: every plane has its sums of cosines and sines", "", float, double) {
  using S = TestType;
  const std::string form = GENERATE("released", "appendix", "intern-s1"), padding = GENERATE("one", "zero");
  const Index K = 16, F = GENERATE(3, 6), P = form == "intern-s1" ? F : std::min(F, K / 4), step = (F + P - 1) / P;
  const auto scheme = check::scheme("fope", values(form, padding, static_cast<int>(F)), {H * K, H, 512});
  const auto weights = check::random_weights<S>(*scheme, "w");
  CHECK(scheme->weights()[0].shape == std::array<Index, 4>{H, F, P, 1});
  const auto positions = check::consecutive(N, -2.5);
  const auto x = check::random<S>({H, N, K}, "x");
  const auto out = turned(*scheme, positions, x, weights);
  for (Index h = 0; h < H; ++h)
    for (Index n = 0; n < N; ++n)
      for (Index m = 0; m < K / 2; ++m) {
        double C = 0, T = 0, of_C = 0, of_T = 0;  // T: the sine's sum
        for (Index f = 0; m < P && f < F; ++f) {
          const double w = std::pow(1e4, -2.0 * static_cast<double>(f) / static_cast<double>(K)), one = f == m * step;
          const double a = one + static_cast<double>(weights.arrays()[0][0](h, f, m)),
                       b = one + static_cast<double>(weights.arrays()[1][0](h, f, m));
          C += a * std::cos(w * positions(n, 0)), T += b * std::sin(w * positions(n, 0)), of_C += a, of_T += b;
        }
        if (m >= P) C = 1, T = padding == "one";
        if (m < P && form == "appendix") C /= of_C, T /= of_T;
        if (form == "appendix") T = -T;
        const double u = x(h, n, m), v = x(h, n, m + K / 2);
        const double close = 20 * std::numeric_limits<S>::epsilon() * (1 + std::abs(C) + std::abs(T));
        REQUIRE_THAT(out(h, n, m), check::WithinAbs(u * C - v * T, close));
        REQUIRE_THAT(out(h, n, m + K / 2), check::WithinAbs(v * C + u * T, close));
      }
}

TEST_CASE("fope: RoPE with its slow planes held still where nothing is added to its coefficients") {
  const Index K = 16, F = 6;
  const auto fope = check::scheme("fope", values("intern-s1", "zero", F), {H * K, H, 512});
  const auto rope = check::scheme("rope",
                                  {{"style", Value(std::string("half-split"))},
                                   {"scaling", Value(std::string("proportional"))},
                                   {"p", Value(0.75)}},
                                  {H * K, H, 512});
  const auto positions = check::consecutive(N), x = check::random({H, N, K}, "x");
  const auto ours = turned(*fope, positions, x, host::Weights<double>(fope->weights(), 1));
  CHECK(check::largest_difference(ours, turned(*rope, positions, x, host::Weights<double>(rope->weights(), 1))) <
        1e-15);
}

TEST_CASE("fope: padding with 1 stretches planes without a series by the root of 2, at every position") {
  const Index K = 8, F = 1;
  const std::string form = GENERATE("released", "appendix", "intern-s1");
  const auto scheme = check::scheme("fope", values(form, "one", F), {H * K, H, 512});
  const auto weights = check::random_weights<double>(*scheme, "w");
  const auto positions = check::positions({0, 3, 1000.5}), x = check::random({H, 3, K}, "x");
  const auto out = turned(*scheme, positions, x, weights);
  for (Index h = 0; h < H; ++h)
    for (Index n = 0; n < 3; ++n)
      for (Index m = 1; m < K / 2; ++m)
        CHECK_THAT(std::hypot(out(h, n, m), out(h, n, m + K / 2)),
                   check::WithinRel(std::sqrt(2) * std::hypot(x(h, n, m), x(h, n, m + K / 2)), 1e-14));
}

TEST_CASE("fope: frequencies whose wavelength is longer than the trained length are left out") {
  const host::Model model{128, 1, 4096};
  CHECK(check::scheme("fope", {}, model)->inverse_frequency().size() == 46);
  const auto scheme = check::scheme("fope", {{"training_length", Value(std::int64_t{512})}}, model);
  CHECK(scheme->inverse_frequency().size() == 31);  // 2 pi 1e4^(60/128) = 471, 2 pi 1e4^(62/128) = 545
  CHECK(scheme->claims(POSLAB_LENGTH_FREE));
  CHECK_FALSE(check::scheme("fope", {}, model)->claims(POSLAB_LENGTH_FREE));
  for (const auto claim : {POSLAB_RELATIVE, POSLAB_ISOMETRY}) CHECK_FALSE(scheme->claims(claim));
  CHECK_THROWS_WITH(check::scheme("fope", {{"training_length", Value(std::int64_t{6})}}, model),
                    check::contains("no wavelength is within the training length 6"));
  CHECK_THROWS_WITH(check::scheme("fope", {{"frequencies", Value(std::int64_t{65})}}, model),
                    check::contains("has 64 frequencies, not 65"));
  CHECK_THROWS_WITH(check::scheme("fope", {}, {6, 1, 512}), check::contains("head width in fours, not 6"));
}

TEST_CASE("fope: coefficients are drawn as Xavier draws for a convolution, and stay unless they are to be trained") {
  const bool train = GENERATE(false, true), separate = GENERATE(false, true);
  const auto scheme = check::scheme("fope",
                                    {{"frequencies", Value(std::int64_t{6})},
                                     {"gain", Value(0.5)},
                                     {"train", Value(train)},
                                     {"separate_heads", Value(separate)}},
                                    {48, 3, 512});
  for (const auto& weight : scheme->weights()) {
    CHECK(weight.shape == std::array<Index, 4>{separate ? 3 : 1, 6, 4, 1});
    CHECK(weight.first == 0);
    CHECK_THAT(weight.second, check::WithinRel(0.5 * std::sqrt(separate ? 2.0 / (4 * (6 + 3)) : 2.0 / (6 + 4)), 1e-15));
    CHECK(weight.frozen == !train);
    CHECK(weight.per_layer);
  }
}

TEST_CASE("fope: the released code has coefficients in every layer, and is the default") {
  const auto is_per_layer = [](const data::Values& values) {
    return check::scheme("fope", values, {64, 1, 512})->weights()[0].per_layer;
  };
  CHECK(is_per_layer({}));
  CHECK(is_per_layer({{"form", Value(std::string("released"))}}));
  CHECK_FALSE(is_per_layer({{"form", Value(std::string("appendix"))}}));
  CHECK_FALSE(is_per_layer({{"form", Value(std::string("intern-s1"))}}));
}

TEST_CASE("fope: the released code turns as RoPE does, the appendix the other way") {
  const Index K = 8, F = 2;
  const auto positions = check::positions({1}), x = check::random({H, 1, K}, "x");
  const auto variant = [&](const std::string& form) {
    const auto scheme = check::scheme("fope", values(form, "one", F), {H * K, H, 512});
    return turned(*scheme, positions, x, host::Weights<double>(scheme->weights(), 1));
  };
  const auto released = variant("released"), appendix = variant("appendix");
  for (Index h = 0; h < H; ++h) {
    const double u = x(h, 0, 0), v = x(h, 0, K / 2);
    CHECK_THAT(released(h, 0, 0), check::WithinAbs(u * std::cos(1) - v * std::sin(1), 1e-15));
    CHECK_THAT(appendix(h, 0, 0), check::WithinAbs(u * std::cos(1) + v * std::sin(1), 1e-15));
  }
}

TEST_CASE("fope: gradients are those of central differences") {
  const std::string form = GENERATE("released", "appendix", "intern-s1");
  const Index K = 8;
  auto given = values(form, "one", 3);
  given.set("train", Value(true));
  const auto scheme = check::scheme("fope", given, {H * K, H, 512});
  auto weights = check::random_weights<double>(*scheme, "w");
  const auto positions = check::positions({0, 1, 4.5});
  const auto x = check::random({H, 3, K}, "x"), seed = check::random({H, 3, K}, "gradient");
  const auto loss = [&] { return check::inner(turned(*scheme, positions, x, weights), seed); };
  host::Weights<double> gradient(scheme->weights(), 1);
  Array<double> by_x = seed.copy();
  scheme->transform_gradient<double>(context, host::Side::key, positions, std::as_const(weights).layer(0), by_x,
                                     gradient.layer(0), x);
  for (std::size_t w = 0; w < 2; ++w) CHECK(check::is_gradient(loss, weights.arrays()[w][0], gradient.arrays()[w][0]));
}
