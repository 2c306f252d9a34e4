// SPDX-License-Identifier: Apache-2.0
// Random Fourier features: cosines and sines of random projections of the position, which stay as they were drawn.
// Dimension letters: D model width, A axes, F random directions.
#include <poslab/scheme.hpp>
#include <poslab/sdk/angles.hpp>

#include <numbers>

using namespace poslab;

struct RandomFourier {
  static constexpr Card card{
      .id = "random-fourier",
      .title = "Random Fourier features",
      .version = "1.0",
      .paper = "Tancik et al. 2020, arXiv:2006.10739; Rahimi and Recht 2007",
      .summary = "Adds cosines and sines of random projections of the position, scaled to 0 .. 1.",
      .formula = "e(v) = [cos(2 pi B v), sin(2 pi B v)], B normal with standard deviation sigma, v = p / (T - 1)",
      .used_in = "coordinate networks; prompt encoder of SAM",
      .real_positions = true,
      .most_axes = 3};
  enum class Order { cos_sin, sin_cos };
  enum class Scale { length, grid, none };
  static constexpr const char* orders[] = {"cos-sin", "sin-cos"};
  static constexpr const char* scales[] = {"length", "grid", "none"};
  std::optional<int> features, position_axes;
  double sigma;
  Order order;
  std::optional<Scale> scale;
  std::optional<std::vector<double>> grid;
  static constexpr std::tuple params{
      integer(&RandomFourier::features, "features", unset, at_least(1),
              "random directions, two channels each; unset: as many as fit"),
      real(&RandomFourier::sigma, "sigma", 1, above(0), "standard deviation of the directions, in turns from 0 to 1"),
      choice(&RandomFourier::order, "order", orders, "which half comes first"),
      integer(&RandomFourier::position_axes, "position_axes", unset, between(1, 3),
              "numbers of a position; unset: those of grid, or 1"),
      choice(&RandomFourier::scale, "normalise_by", scales, unset,
             "what 0 .. 1 spans; none: positions are so already; unset: grid where it is given, else length"),
      list(&RandomFourier::grid, "grid", unset, at_least(1), "positions along each axis").in("position")};

  int A, F;

  Traits traits() const {
    return Traits()
        .claims(content_free | bounded | constant_norm | (*scale == Scale::length ? no_claims : length_free))
        .axes(A);
  }

  void prepare(const Model& m) {
    const int sides = grid ? static_cast<int>(grid->size()) : 0;
    A = position_axes.value_or(grid ? sides : 1);
    F = features.value_or(m.D / 2);
    if (!scale) scale = grid ? Scale::grid : Scale::length;
    require(A >= 1 && A <= 3, "grid needs 1 to 3 numbers, one an axis, not ", A);
    require(!grid || sides == A, "grid has ", sides, " numbers, but a position has ", A);
    require(*scale != Scale::grid || grid, "normalise_by = grid needs the parameter grid");
    require(*scale != Scale::length || A == 1, "a position of ", A,
            " numbers cannot be normalised by the length: set grid, or normalise_by = none");
    require(F >= 1 && Index{2} * F <= m.D, "features must be 1 to ", m.D / 2, ", half the model width, not ", F);
  }
  std::vector<Weight> weights(const Model&) const {
    return {normal("directions", {F, A}, sigma, "B: turns from 0 to 1 along each axis").frozen()};
  }

  template <class S>
  void encode(Context context, Point p, Row<S> row, Weights<const S> w) const {
    const auto half = static_cast<std::size_t>(F);
    const std::size_t cosines = order == Order::cos_sin ? 0 : half;
    double v[3];
    for (int a = 0; a < A; ++a) v[a] = 2 * std::numbers::pi * scaled(context, p[a], a);
    const auto angle = [&](std::size_t i) {
      Exact<S> sum = 0;
      for (int a = 0; a < A; ++a) sum += Exact<S>(w[0](static_cast<Index>(i), a)) * v[a];
      return sum;
    };
    for_angles<S>(half, angle, [&](std::size_t i, const Exact<S>& sine, const Exact<S>& cosine) {
      row[cosines + i] = static_cast<S>(cosine);
      row[half - cosines + i] = static_cast<S>(sine);
    });
    for (S& channel : row.subspan(2 * half)) channel = 0;
  }

 private:
  // Where there is but one position, it is the start, 0.
  double scaled(const Context& context, double position, int axis) const {
    if (*scale == Scale::none) return position;
    const double positions =
        *scale == Scale::length ? static_cast<double>(context.length) : (*grid)[static_cast<std::size_t>(axis)];
    return positions > 1 ? position / (positions - 1) : 0;
  }
};
POSLAB_SCHEME(RandomFourier)
