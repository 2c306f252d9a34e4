// SPDX-License-Identifier: Apache-2.0
// Its formula is also held by the golden cases of tests/golden/made.py. Dimension letters: H heads, K head width.
#include "poslab/base/error.hpp"
#include "rank_two.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

constexpr Index H = 2, K = 6;
const host::Model model{H * K, H, 512};
const host::Context context{64, 512, false};

data::Values values(const std::string& form, int turns = 2, const std::string& style = "interleaved") {
  return {{"form", Value(form)}, {"turns", Value(std::int64_t{turns})}, {"style", Value(style)}};
}

template <class S>
Array<S> acted(const host::Scheme& scheme, const Array<double>& positions, const Array<S>& x,
               const host::Weights<S>& weights, host::Side side = host::Side::query) {
  Array<S> out = x.copy();
  scheme.transform<S>(context, side, positions, weights.layer(0), out);
  return out;
}

}  // namespace

TEMPLATE_TEST_CASE("grape: begins as RoPE", "", float, double) {
  using S = TestType;
  const std::string style = GENERATE("interleaved", "half-split");
  const int turns = GENERATE(0, 2);
  const auto scheme = check::scheme("grape", values("commuting", turns, style), model),
             rope = check::scheme("rope", {{"style", Value(style)}}, model);
  auto weights = scheme->draw_weights(data::Draws(7, "test", "grape", 0));
  for (const auto& weight : scheme->weights()) CHECK(weight.per_layer);
  host::Weights<S> drawn(scheme->weights(), 1);
  for (std::size_t w = 0; w < drawn.arrays().size(); ++w)
    for (Index i = 0; i < drawn.arrays()[w][0].size(); ++i)
      drawn.arrays()[w][0].data()[i] = static_cast<S>(weights.arrays()[w][0].data()[i]);
  const auto positions = check::consecutive(9, -2.5);
  const auto x = check::random<S>({H, 9, K}, "x");
  CHECK(check::largest_difference(acted(*scheme, positions, x, drawn),
                                  acted(*rope, positions, x, host::Weights<S>(rope->weights(), 1))) <=
        4 * std::numeric_limits<S>::epsilon());
}

TEST_CASE("grape: a group that keeps inner products, whatever the weights") {
  const std::string form = GENERATE("commuting", "rank-2");
  const auto scheme = check::scheme("grape", values(form, 3), model);
  const auto weights = check::random_weights<double>(*scheme, "w");
  const auto x = check::random({H, 1, K}, "x"), y = check::random({H, 1, K}, "y");
  const auto at = [&](double p, const Array<double>& of) { return acted(*scheme, check::positions({p}), of, weights); };
  CHECK(check::largest_difference(at(2, at(3.5, x)), at(5.5, x)) < 1e-13);
  CHECK(check::largest_difference(at(-3, at(3, x)), x) < 1e-13);
  CHECK(check::largest_difference(at(0, x), x) < 1e-14);
  CHECK_THAT(check::inner(at(7, x), at(7, y)), check::WithinAbs(check::inner(x, y), 1e-13));
  CHECK_THAT(check::inner(at(7, x), at(4, y)), check::WithinAbs(check::inner(at(103, x), at(100, y)), 1e-11));
  CHECK(check::largest_difference(at(1, x), x) > 0.1);
}

TEST_CASE("grape, rank-2: turns b towards a by their area, and leaves what is orthogonal to both") {
  const auto scheme = check::scheme("grape", values("rank-2"), {K, 1, 512});
  host::Weights<double> weights(scheme->weights(), 1);
  weights.arrays()[0][0](0, 0, 1) = 0.5;  // a along channel 1
  weights.arrays()[1][0](0, 0, 4) = 0.6;  // b along channel 4, and along a
  weights.arrays()[1][0](0, 0, 1) = 7;
  Array<double> x({1, 1, K});
  x(0, 0, 4) = 2, x(0, 0, 2) = 5;
  const auto out = acted(*scheme, check::positions({3}), x, weights);
  const double angle = 3 * 0.5 * 0.6;
  const double wanted[] = {0, 2 * std::sin(angle), 5, 0, 2 * std::cos(angle), 0};
  for (Index k = 0; k < K; ++k) CHECK_THAT(out(0, 0, k), check::WithinAbs(wanted[k], 1e-14));
}

TEST_CASE("grape: the functions of the closed form meet where the series ends") {
  using rank_two::sinc, rank_two::cosc;
  const double below = std::nextafter(rank_two::small, 0);
  CHECK_THAT(sinc(below), check::WithinRel(sinc(rank_two::small), 1e-15));
  CHECK_THAT(cosc(4 * below), check::WithinRel(cosc(4 * rank_two::small), 1e-15));
  CHECK(sinc(0.0) == 1);
  CHECK(cosc(0.0) == 0.5);
  for (const double s : {0.1, 0.4, 0.7, 1.5, 3.0, 40.0}) {
    CHECK_THAT(sinc(s * s), check::WithinAbs(std::sin(s) / s, 1e-15));
    CHECK_THAT(cosc(s * s), check::WithinAbs((1 - std::cos(s)) / (s * s), 1e-13));
  }
}

TEST_CASE("grape: the slopes of the closed form are those of its functions") {
  using rank_two::sinc, rank_two::cosc, rank_two::sinc_slope, rank_two::cosc_slope;
  CHECK(sinc_slope(0) == -1.0 / 6);
  CHECK_THAT(cosc_slope(0), check::WithinRel(-1.0 / 24, 1e-15));
  for (const double z : {0.01, 0.2, 0.249, 0.251, 0.9, 1.1, 4.0, 90.0}) {
    const double step = 1e-4 * z;
    CHECK_THAT(sinc_slope(z), check::WithinRel((sinc(z + step) - sinc(z - step)) / (2 * step), 1e-7));
    CHECK_THAT(cosc_slope(z), check::WithinRel((cosc(z + step) - cosc(z - step)) / (2 * step), 1e-7));
  }
}

TEST_CASE("grape: gradients are those of central differences, where the basis begins, too") {
  const std::string form = GENERATE("commuting", "rank-2");
  const bool begins = GENERATE(false, true), separate = GENERATE(false, true);
  auto given = values(form);
  given.set("separate_heads", Value(separate));
  const auto scheme = check::scheme("grape", given, model);
  auto weights = check::random_weights<double>(*scheme, "w");
  if (begins) weights.arrays().back()[0].fill(0);
  const auto positions = check::positions({0, 1, 4.5});
  auto x = check::random({H, 3, K}, "x");
  const auto seed = check::random({H, 3, K}, "gradient");
  const auto loss = [&] { return check::inner(acted(*scheme, positions, x, weights), seed); };
  host::Weights<double> gradient(scheme->weights(), 1);
  Array<double> by_x = seed.copy();
  scheme->transform_gradient<double>(context, host::Side::query, positions, std::as_const(weights).layer(0), by_x,
                                     gradient.layer(0), x);
  CHECK(check::is_gradient(loss, x, by_x));
  for (std::size_t w = 0; w < weights.arrays().size(); ++w) {
    const bool has_none = begins && scheme->weights()[w].name == "a";  // beside b = 0, a does nothing
    if (has_none)
      for (const double number : gradient.arrays()[w][0].flat()) CHECK(number == 0);
    else
      CHECK(check::is_gradient(loss, weights.arrays()[w][0], gradient.arrays()[w][0]));
  }
}

TEST_CASE("grape: weights, claims, and what is refused") {
  const auto none = check::scheme("grape", values("commuting", 0), model), two = check::scheme("grape", {}, model),
             plane = check::scheme("grape", values("rank-2"), model);
  REQUIRE(none->weights().size() == 1);
  CHECK(none->weights()[0].shape == std::array<Index, 4>{1, K / 2, 1, 1});
  REQUIRE(two->weights().size() == 3);
  CHECK(two->weights()[1].shape == std::array<Index, 4>{H, 2, K, 1});
  CHECK(two->weights()[1].second == 1 / std::sqrt(6.0));
  CHECK(two->weights()[2].initialisation == POSLAB_CONSTANT);
  REQUIRE(plane->weights().size() == 2);
  CHECK(plane->weights()[1].initialisation == POSLAB_NORMAL);
  for (const auto claim : {POSLAB_RELATIVE, POSLAB_ISOMETRY, POSLAB_CONTENT_FREE, POSLAB_LENGTH_FREE, POSLAB_BOUNDED})
    CHECK(two->claims(claim));
  CHECK_THROWS_WITH(check::scheme("grape", {}, {10, 2, 64}), check::contains("even head width, not 5"));
}
