// SPDX-License-Identifier: Apache-2.0
// Dimension letters: H heads, K head width, N positions (row, column).
#include <numbers>

#include "poslab/base/error.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{64, 512, false};
constexpr Index H = 3, K = 8;

data::Values parameters(const std::string& layout, const std::string& style = "") {
  data::Values values{{"layout", Value(layout)}};
  if (!style.empty()) values.set("style", Value(style));
  return values;
}

std::unique_ptr<host::Scheme> scheme_of(const std::string& layout, const std::string& style = "") {
  return check::scheme("rope-2d", parameters(layout, style), {H * K, H, 512});
}

Array<double> grid_positions(std::initializer_list<std::pair<double, double>> rows_and_columns) {
  Array<double> out({static_cast<Index>(rows_and_columns.size()), 2});
  Index n = 0;
  for (const auto& [row, column] : rows_and_columns) out(n, 0) = row, out(n++, 1) = column;
  return out;
}

template <class S>
Array<S> rotated(const host::Scheme& scheme, const Array<double>& positions, const Array<S>& x,
                 const host::Weights<S>& weights) {
  Array<S> out = x.copy();
  scheme.transform<S>(context, host::Side::query, positions, weights.layer(0), out);
  return out;
}

// The angle of plane m of head h at (row, column), from the formulas.
double angle(const std::string& layout, double row, double column, Index h, Index m, const host::Weights<double>& w) {
  const Index quarter = K / 4, within = m % quarter;
  const auto power = [&](double theta) {
    return std::pow(theta, -4.0 * static_cast<double>(within) / static_cast<double>(K));
  };
  if (layout == "axial") return (m < quarter ? column : row) * power(100);
  if (layout == "qwen") return (m < quarter ? row : column) * power(1e4);
  const double phi = w.arrays()[0][0](h) + (m < quarter ? 0 : std::numbers::pi / 2);
  return column * (power(10) * std::cos(phi) + w.arrays()[1][0](0, h, m)) +
         row * (power(10) * std::sin(phi) + w.arrays()[1][0](1, h, m));
}

}  // namespace

TEST_CASE("rope-2d: the formula of every layout, in both pairings") {
  const std::string layout = GENERATE("axial", "qwen", "mixed");
  const std::string style = GENERATE("", "interleaved", "half-split");
  const bool halves = style.empty() ? layout == "qwen" : style == "half-split";
  const auto scheme = scheme_of(layout, style);
  const auto weights = check::random_weights(*scheme, "w");
  const auto positions = grid_positions({{0, 0}, {3, 5}, {-2, 7.5}, {1000, 0}, {14, 14}});
  const auto x = check::random({H, 5, K}, "x");
  const auto out = rotated(*scheme, positions, x, weights);
  for (Index h = 0; h < H; ++h)
    for (Index n = 0; n < 5; ++n)
      for (Index m = 0; m < K / 2; ++m) {
        const double a = angle(layout, positions(n, 0), positions(n, 1), h, m, weights);
        const Index one = halves ? m : 2 * m, other = halves ? m + K / 2 : 2 * m + 1;
        const double u = x(h, n, one), v = x(h, n, other);
        REQUIRE_THAT(out(h, n, one), check::WithinAbs(u * std::cos(a) - v * std::sin(a), 1e-12));
        REQUIRE_THAT(out(h, n, other), check::WithinAbs(v * std::cos(a) + u * std::sin(a), 1e-12));
      }
}

TEST_CASE("rope-2d: logits depend on both offsets, and on nothing else, norms stay") {
  const std::string layout = GENERATE("axial", "qwen", "mixed");
  const auto scheme = scheme_of(layout);
  const auto weights = check::random_weights(*scheme, "w");
  const auto q = check::random({H, 1, K}, "q"), k = check::random({H, 1, K}, "k");
  const auto logit = [&](double query_row, double query_column, double key_row, double key_column) {
    return check::inner(rotated(*scheme, grid_positions({{query_row, query_column}}), q, weights),
                        rotated(*scheme, grid_positions({{key_row, key_column}}), k, weights));
  };
  CHECK_THAT(logit(3, 9, 1, 4), check::WithinAbs(logit(60, 30, 58, 25), 1e-11));
  CHECK(std::abs(logit(3, 9, 1, 4) - logit(3, 9, 2, 4)) > 1e-3);
  CHECK(std::abs(logit(3, 9, 1, 4) - logit(3, 9, 1, 5)) > 1e-3);
  CHECK(std::abs(logit(3, 9, 1, 4) - logit(9, 3, 4, 1)) > 1e-3);  // rows are not columns
  const auto far = rotated(*scheme, grid_positions({{77, 31}}), q, weights);
  CHECK_THAT(check::inner(far, far), check::WithinRel(check::inner(q, q), 1e-13));
}

TEST_CASE("rope-2d mixed: initial frequencies have the authors' distribution") {
  const auto scheme = scheme_of("mixed");
  REQUIRE(scheme->weights().size() == 2);
  const auto &direction = scheme->weights()[0], &shift = scheme->weights()[1];
  CHECK(direction.initialisation == POSLAB_UNIFORM);
  CHECK(direction.first == 0);
  CHECK(direction.second == 2 * std::numbers::pi);
  CHECK(direction.frozen);
  CHECK(direction.per_layer);
  CHECK(shift.initialisation == POSLAB_CONSTANT);
  CHECK(shift.first == 0);
  CHECK(shift.shape == std::array<Index, 4>{2, H, K / 2, 1});
  CHECK(shift.per_layer);
  CHECK_FALSE(shift.frozen);
  CHECK(scheme_of("axial")->weights().empty());
}

TEST_CASE("rope-2d: gradients by x and by the learned frequencies") {
  const std::string layout = GENERATE("axial", "qwen", "mixed");
  const auto scheme = scheme_of(layout), derived = check::derived("rope-2d", parameters(layout), {H * K, H, 512});
  auto weights = check::random_weights(*scheme, "w");
  const auto positions = grid_positions({{0, 0}, {3, 5}, {1, -2.5}});
  auto x = check::random({H, 3, K}, "x");
  const auto seed = check::random({H, 3, K}, "g");
  const auto loss = [&] { return check::inner(rotated(*scheme, positions, x, weights), seed); };
  const auto gradient_of = [&](const host::Scheme& one, host::Weights<double>* dw) {
    Array<double> gradient = seed.copy();
    one.transform_gradient<double>(context, host::Side::query, positions, std::as_const(weights).layer(0), gradient,
                                   dw ? dw->layer(0) : std::vector<base::View<double>>(), x);
    return gradient;
  };
  const auto by_x = gradient_of(*scheme, nullptr);
  CHECK(check::is_gradient(loss, x, by_x, 1e-8));
  CHECK(check::largest_difference(by_x, gradient_of(*derived, nullptr)) < 1e-14);
  if (layout != "mixed") return;
  host::Weights<double> dw(scheme->weights(), 1);
  CHECK(check::largest_difference(by_x, gradient_of(*scheme, &dw)) < 1e-14);
  for (std::size_t w = 0; w < 2; ++w) CHECK(check::is_gradient(loss, weights.arrays()[w][0], dw.arrays()[w][0], 1e-6));
}

TEST_CASE("rope-2d: float32 takes its angles from float64") {
  const std::string layout = GENERATE("axial", "mixed");
  const auto scheme = scheme_of(layout);
  const auto positions = grid_positions({{16777217, 3e6}, {1e6, 1e6 + 1}});
  const auto narrow_weights = check::random_weights<float>(*scheme, "w");
  host::Weights<double> weights(scheme->weights(), 1);
  for (std::size_t w = 0; w < weights.arrays().size(); ++w)
    for (Index i = 0; i < weights.arrays()[w][0].size(); ++i)
      weights.arrays()[w][0].data()[i] = narrow_weights.arrays()[w][0].data()[i];
  const auto x = check::random({H, 2, K}, "x");
  Array<float> narrow({H, 2, K});
  for (Index i = 0; i < x.size(); ++i) narrow.data()[i] = static_cast<float>(x.data()[i]);
  CHECK(check::largest_difference(rotated(*scheme, positions, narrow, narrow_weights),
                                  rotated(*scheme, positions, x, weights)) < 2e-6);
}

TEST_CASE("rope-2d: claims, axes, and what is refused") {
  const auto scheme = check::scheme("rope-2d", {}, {32, 4, 64});
  for (const poslab_claim claim :
       {POSLAB_ISOMETRY, POSLAB_RELATIVE, POSLAB_CONTENT_FREE, POSLAB_LENGTH_FREE, POSLAB_BOUNDED})
    CHECK(scheme->claims(claim));
  Array<double> x({4, 1, 8});
  CHECK_THROWS_WITH(scheme->transform<double>(context, host::Side::key, check::positions({1}), {}, x),
                    check::contains("positions of 2 axes, not of 1"));
  CHECK_THROWS_WITH(check::scheme("rope-2d", {}, {12, 2, 64}), check::contains("a multiple of 4, not 6"));
}
