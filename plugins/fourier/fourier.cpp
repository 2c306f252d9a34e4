// SPDX-License-Identifier: Apache-2.0
// Fourier features of the position on a scale from -1 to 1, at linearly spaced frequencies up to half the resolution.
// Dimension letters: D model width, A axes, K bands.
#include <poslab/scheme.hpp>

#include <numbers>

using namespace poslab;

struct Fourier {
  static constexpr Card card{
      .id = "fourier",
      .title = "Fourier features",
      .version = "1.0",
      .paper = "Jaegle et al. 2021, arXiv:2103.03206",
      .summary = "Adds sines and cosines of the position, scaled to -1 .. 1, at linearly spaced frequencies.",
      .formula = "e(x) = [x, sin(pi f_k x), cos(pi f_k x)], f_k from 1 to max_resolution / 2, x = 2p / (T - 1) - 1",
      .used_in = "Perceiver, Perceiver IO",
      .real_positions = true,
      .most_axes = 3};
  enum class Scale { length, max_resolution, none };
  static constexpr const char* scales[] = {"length", "max-resolution", "none"};
  std::optional<int> num_bands;
  std::optional<std::vector<double>> max_resolution;
  std::optional<Scale> scale;
  bool concat_pos, sine_only;
  static constexpr double usual_lengths[][1] = {{512}, {2048}, {224}, {16}, {64}};
  static constexpr auto small_grids = [] {
    struct {
      double sides[225][2];
    } from_2_to_16{};
    for (int i = 0; i < 225; ++i) from_2_to_16.sides[i][0] = 2 + i / 15, from_2_to_16.sides[i][1] = 2 + i % 15;
    return from_2_to_16;
  }();
  static constexpr std::tuple params{
      integer(&Fourier::num_bands, "num_bands", unset, at_least(1), "frequencies of an axis; unset: as many as fit")
          .usual(whole_numbers<64>),
      list(&Fourier::max_resolution, "max_resolution", unset, at_least(2),
           "positions along each axis, one number an axis; unset: one axis, of the train length")
          .usual(usual_lengths)
          .usual(small_grids.sides)
          .in("position"),
      choice(&Fourier::scale, "normalise_by", scales, unset,
             "what -1 .. 1 spans; none: positions are so already; unset: length with one axis, else max-resolution"),
      flag(&Fourier::concat_pos, "concat_pos", true, "the scaled position itself comes first"),
      flag(&Fourier::sine_only, "sine_only", false, "no cosines")};

  bool trained_resolution;
  std::vector<double> resolution;            // [A]
  std::vector<std::vector<double>> radians;  // [A][K] pi f_k

  Traits traits() const {
    return Traits()
        .claims(content_free | (trained_resolution || *scale == Scale::length ? no_claims : length_free) |
                (concat_pos ? no_claims : bounded) | (concat_pos || sine_only ? no_claims : constant_norm))
        .axes(static_cast<int>(resolution.size()))
        .unique_up_to(concat_pos ? 4503599627370496.0 : 0);  // 2^52, as the normalised index
  }

  void prepare(const Model& m) {
    trained_resolution = !max_resolution;
    resolution = max_resolution.value_or(std::vector<double>{std::max(2.0, static_cast<double>(m.train_length))});
    const int A = static_cast<int>(resolution.size()), waves = sine_only ? 1 : 2, own = concat_pos ? 1 : 0;
    require(A >= 1 && A <= 3, "max_resolution needs 1 to 3 numbers, one an axis, not ", A);
    if (!scale) scale = A == 1 ? Scale::length : Scale::max_resolution;
    require(*scale != Scale::length || A == 1, "a position of ", A,
            " numbers cannot be normalised by the length: use max-resolution or none");
    const int K = num_bands.value_or((m.D / A - own) / waves);
    require(K >= 1 && A * (own + Index{waves} * K) <= m.D, "the model width ", m.D, " has no room for ", A,
            A == 1 ? " axis of " : " axes of ", own + Index{waves} * std::max(K, 1), " channels each");
    for (const double positions : resolution) {
      radians.emplace_back();
      for (int k = 0; k < K; ++k)
        radians.back().push_back(std::numbers::pi * (1 + (K > 1 ? k * ((positions / 2 - 1) / (K - 1)) : 0)));
    }
  }

  template <class S>
  void encode(Context context, Point p, Row<S> row) const {
    const std::size_t A = resolution.size(), K = radians[0].size(), own = concat_pos ? A : 0;
    for (S& channel : row) channel = 0;
    for (std::size_t a = 0; a < A; ++a) {
      const double x = scaled(context, p[static_cast<int>(a)], resolution[a]);
      if (concat_pos) row[a] = static_cast<S>(x);
      const Row<S> sines = row.subspan(own + a * K, K);
      const Row<S> cosines = sine_only ? Row<S>() : row.subspan(own + (A + a) * K, K);
      for_sines_and_cosines(x, radians[a], [&](std::size_t k, double sine, double cosine) {
        sines[k] = static_cast<S>(sine);
        if (!sine_only) cosines[k] = static_cast<S>(cosine);
      });
    }
  }

 private:
  // A sequence of one position is its own start, -1.
  double scaled(const Context& context, double position, double positions) const {
    if (*scale == Scale::none) return position;
    const double last = (*scale == Scale::length ? static_cast<double>(context.length) : positions) - 1;
    return last > 0 ? 2 * position / last - 1 : -1;
  }
};
POSLAB_SCHEME(Fourier)
