// SPDX-License-Identifier: Apache-2.0
// CAPE: a sinusoid whose positions are shifted and scaled at random in training; here, one such augmentation or none.
// Dimension letters: D model width.
#include <poslab/scheme.hpp>
#include <poslab/sdk/angles.hpp>

#include <numbers>

using namespace poslab;

struct Cape {
  static constexpr Card card{
      .id = "cape",
      .title = "CAPE, continuous augmented positions",
      .version = "2.0",
      .paper = "Likhomanenko et al. 2021, arXiv:2106.03143",
      .summary = "A sinusoid of positions less their mean, shifted and scaled; training draws shift and scaling anew.",
      .formula = "e(p)[c] = sin(p' 10000^(-2 floor(c/2)/D) + (pi/2) (c mod 2)), p' = (p - mean + shift) scaling",
      .used_in = "",
      .real_positions = true,
      .most_axes = 2};
  bool normalize;
  std::optional<double> mean;
  double shift, column_shift, scaling, freq_scale, pos_scale;
  std::optional<std::vector<double>> grid;
  static constexpr std::tuple params{
      flag(&Cape::normalize, "normalize", false, "the mean is taken off every position; one axis only"),
      real(&Cape::mean, "mean", unset, any_number, "what normalize takes off; unset: the mean of 0 .. length - 1")
          .in("position"),
      real(&Cape::shift, "shift", 0, any_number, "the global shift that was drawn; 0 in evaluation"),
      real(&Cape::column_shift, "column_shift", 0, any_number, "the same along columns, on a grid"),
      real(&Cape::scaling, "scaling", 1, above(0), "the global scaling that was drawn; 1 in evaluation"),
      real(&Cape::freq_scale, "freq_scale", 1, above(0), "factor on every frequency; one axis only"),
      real(&Cape::pos_scale, "pos_scale", 1, above(0),
           "factor on every position, such as seconds a frame; one axis only"),
      list(&Cape::grid, "grid", unset, at_least(1), "rows and columns: the form with two axes").in("position")};

  std::vector<double> frequency;  // one axis: radians a position
  std::vector<double> along[2];   // two axes: radians from -1 to 1, divided by 2, along rows and columns
  bool every_sine_has_its_cosine = true;

  Traits traits(const Model& m) const {
    return Traits()
        .claims(content_free | bounded | (every_sine_has_its_cosine ? constant_norm : no_claims) |
                (!grid && normalize && !mean ? no_claims : length_free))
        .axes(grid ? 2 : 1)
        .embedding_scale(std::sqrt(m.D));  // the port's content_scale
  }

  void prepare(const Model& m) {
    every_sine_has_its_cosine = m.D % 2 == 0;
    require(grid || column_shift == 0, "column_shift needs a grid");
    if (!grid) {
      for (int k = 0; k < (m.D + 1) / 2; ++k) frequency.push_back(freq_scale * std::pow(1e4, -2.0 * k / m.D));
      return;
    }
    require(grid->size() == 2, "grid needs 2 numbers, rows and columns, not ", grid->size());
    require(!normalize && freq_scale == 1 && pos_scale == 1,
            "normalize, freq_scale and pos_scale mean nothing on a grid, whose axes run from -1 to 1");
    require(m.D % 2 == 0, "on a grid cape needs an even model width, not ", m.D);
    const int pairs = m.D / 2;
    for (int k = 0; k < pairs; ++k) {
      const double radius = std::numbers::pi * std::pow(10, pairs > 1 ? k / (pairs - 1.0) : 0);
      along[0].push_back(radius * std::cos(k));
      along[1].push_back(radius * std::sin(k));
    }
  }

  template <class S>
  void encode(Context context, Point p, Row<S> row) const {
    if (grid) return encode_grid(p, row);
    const double middle = mean ? *mean : (static_cast<double>(context.length) - 1) / 2;
    const double at = (pos_scale * (p - (normalize ? middle : 0)) + shift) * scaling;
    for_sines_and_cosines(at, frequency, [&](std::size_t m, double sine, double cosine) {
      row[2 * m] = static_cast<S>(sine);
      if (2 * m + 1 < row.size()) row[2 * m + 1] = static_cast<S>(cosine);
    });
  }

 private:
  // [cosines, sines] of plane waves of many directions and lengths.
  template <class S>
  void encode_grid(Point p, Row<S> row) const {
    const double x = augmented(p, 0, shift), y = augmented(p, 1, column_shift);
    const std::size_t pairs = row.size() / 2;
    const auto phase = [&](std::size_t k) { return along[0][k] * x + along[1][k] * y; };
    for_angles<double>(pairs, phase, [&](std::size_t k, double sine, double cosine) {
      row[k] = static_cast<S>(cosine);
      row[pairs + k] = static_cast<S>(sine);
    });
  }
  // A coordinate from -1 to 1, shifted and scaled; the only position of an axis is its start.
  double augmented(Point p, int axis, double moved) const {
    const double last = (*grid)[static_cast<std::size_t>(axis)] - 1;
    return ((last > 0 ? 2 * p[axis] / last - 1 : -1) + moved) * scaling;
  }
};
POSLAB_SCHEME(Cape)
