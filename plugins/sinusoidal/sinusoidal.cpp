// SPDX-License-Identifier: Apache-2.0
// Sinusoidal encoding in the three layouts that are in use: sines and cosines of the position at many frequencies.
#include <poslab/scheme.hpp>
using namespace poslab;

struct Sinusoidal {
  static constexpr Card card{.id = "sinusoidal",
                             .title = "Sinusoidal encoding",
                             .version = "1.0",
                             .paper = "Vaswani et al. 2017, arXiv:1706.03762",
                             .summary = "Adds sines and cosines of the position at geometrically spaced frequencies.",
                             .formula = "e(p)[2m] = sin(p w_m), e(p)[2m+1] = cos(p w_m), w_m = base^(-2m/D)",
                             .used_in = "the original Transformer, Marian, M2M-100, fairseq",
                             .real_positions = true};
  enum Layout : int { interleaved, half_split, timing_signal };
  static constexpr const char* layouts[] = {"interleaved", "half-split", "timing-signal"};
  Layout layout;
  double base, scale, shortest, longest, start;
  std::vector<double> inverse_frequency;
  static constexpr std::tuple params{
      choice(&Sinusoidal::layout, "layout", layouts, "where sines and cosines stand, and how frequencies are spaced"),
      real(&Sinusoidal::base, "base", 1e4, above(0), "ratio of the first frequency to the last, about; not timing_signal"),
      real(&Sinusoidal::scale, "scale", 1, any_number, "factor on the whole code"),
      real(&Sinusoidal::shortest, "min_timescale", 1, above(0), "timing_signal: the first frequency"),
      real(&Sinusoidal::longest, "max_timescale", 1e4, above(0), "timing_signal: sets the ratio of the frequencies"),
      real(&Sinusoidal::start, "start_index", 0, any_number, "timing_signal: added to every position")};
  Claims claims() const { return content_free | length_free | bounded | (cosines == sines ? constant_norm : no_claims); }

  std::size_t sines, cosines;  // how many of each: a row of odd width has one cosine less, or a zero at its end

  void prepare(const Model& m) {
    const std::size_t D = static_cast<std::size_t>(m.D);
    cosines = D / 2;
    sines = layout == timing_signal ? cosines : D - cosines;
    const double step = std::log(longest / shortest) / std::max(static_cast<double>(sines) - 1, 1.0);
    for (std::size_t k = 0; k < sines; ++k) {
      const double index = static_cast<double>(k);
      inverse_frequency.push_back(layout == timing_signal ? shortest * std::exp(-index * step) : std::pow(base, -2 * index / m.D));
    }
  }

  void encode(Point p, Row<double> row) const {
    row.back() = 0;
    const bool pairs = layout == interleaved;
    for_sines_and_cosines(p + start, inverse_frequency, [&](std::size_t m, double sine, double cosine) {
      row[pairs ? 2 * m : m] = scale * sine;
      if (m < cosines) row[pairs ? 2 * m + 1 : sines + m] = scale * cosine;
    });
  }
};
POSLAB_SCHEME(Sinusoidal)
