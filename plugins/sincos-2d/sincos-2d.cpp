// SPDX-License-Identifier: Apache-2.0
// Sinusoids of every axis of a grid side by side, in the three layouts that are in use.
// Dimension letters: D model width, A axes, n frequencies of an axis.
#include <poslab/scheme.hpp>
using namespace poslab;

struct SinCos2d {
  static constexpr Card card{
      .id = "sincos-2d",
      .title = "Sinusoids on a grid",
      .version = "1.0",
      .paper =
          "He et al. 2021, arXiv:2111.06377 (mae); Beyer et al. 2022, arXiv:2205.01580 (moco-v3); Vaswani et al. 2018, "
          "arXiv:1803.07416 (timing-signal)",
      .summary = "Adds sines and cosines of the column and of the row, each in channels of its own.",
      .formula = "e(r, c) = [sin(c w), cos(c w), sin(r w), cos(r w)], w_m = temperature^(-4m/D)",
      .used_in = "MAE, DiT, big_vision, SimpleViT, tensor2tensor",
      .real_positions = true,
      .most_axes = 3};
  enum class Layout { mae, moco_v3, timing_signal };
  static constexpr const char* layouts[] = {"mae", "moco-v3", "timing-signal"};
  Layout layout;
  double temperature, shortest, longest;
  static constexpr std::tuple params{
      choice(&SinCos2d::layout, "layout", layouts, "how frequencies are spaced, and which axis comes first"),
      real(&SinCos2d::temperature, "temperature", 1e4, above(0), "mae, moco-v3: 1 over the lowest frequency, about")
          .as(Role::base)
          .usual(usual_bases),
      real(&SinCos2d::shortest, "min_timescale", 1, above(0), "timing-signal: the highest frequency (a factor on all)"),
      real(&SinCos2d::longest, "max_timescale", 1e4, above(0), "timing-signal: 1 over the lowest frequency, about")
          .as(Role::base)
          .usual(usual_bases)
          .in("position")};
  Traits traits() const {
    return Traits()
        .claims(content_free | length_free | bounded | constant_norm)
        .axes(least_axes, most_axes)
        .unique_up_to(INFINITY);
  }

  std::vector<double> frequencies[3];  // [A - 1][n]
  int least_axes = 2, most_axes = 2;

  void prepare(const Model& m) {
    if (layout == Layout::timing_signal) {
      require(longest > shortest, "max_timescale must be above min_timescale ", shortest, ", not ", longest);
      require(m.D >= 4, "a timing signal needs a model width of at least 4, two frequencies an axis, not ", m.D);
      least_axes = 1, most_axes = std::min(3, m.D / 4);
      for (int A = 1; A <= most_axes; ++A) {
        const int n = m.D / (2 * A);
        for (int k = 0; k < n; ++k)
          frequencies[A - 1].push_back(shortest * std::exp(-k * (std::log(longest / shortest) / (n - 1))));
      }
      return;
    }
    const int least = layout == Layout::mae ? 4 : 8, n = m.D / 4, spaces = layout == Layout::mae ? n : n - 1;
    require(m.D % 4 == 0 && m.D >= least, "the layout ", layouts[static_cast<int>(layout)],
            " needs a model width that is a multiple of 4 and at least ", least, ", not ", m.D);
    for (int k = 0; k < n; ++k) frequencies[1].push_back(std::pow(temperature, -static_cast<double>(k) / spaces));
  }

  template <class S>
  void encode(Point p, Row<S> row) const {
    const auto A = static_cast<std::size_t>(p.axes());
    const std::vector<double>& w = frequencies[A - 1];
    const std::size_t n = w.size();
    for (S& channel : row.subspan(2 * n * A)) channel = 0;
    for (std::size_t part = 0; part < A; ++part) {
      const std::size_t axis = layout == Layout::timing_signal ? part : 1 - part;  // else the column comes first
      const Row<S> mine = row.subspan(2 * n * part, 2 * n);
      for_sines_and_cosines(p[static_cast<int>(axis)], w, [&](std::size_t m, double sine, double cosine) {
        mine[m] = static_cast<S>(sine);
        mine[n + m] = static_cast<S>(cosine);
      });
    }
  }
};
POSLAB_SCHEME(SinCos2d)
