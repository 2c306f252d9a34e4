// SPDX-License-Identifier: Apache-2.0
// RoPE for tokens with several coordinates: each axis has channels of its own with a whole ladder of frequencies, or
// the axes take turns along one ladder. Dimension letters: A axes, K head width, R rotated channels, m a plane of two
// channels.
#include <numeric>

#include <poslab/scheme.hpp>

using namespace poslab;

struct RopeNd {
  static constexpr Card card{
      .id = "rope-nd",
      .title = "Rotary embedding on several axes",
      .version = "1.0",
      .paper =
          "Black Forest Labs 2024 (FLUX.1, code); Wan Team 2025, arXiv:2503.20314; Ravi et al. 2024 (SAM 2), "
          "arXiv:2408.00714; Su 2024, kexue.fm/archives/10352 (axes that alternate)",
      .summary = "Every axis rotates channels of its own by a ladder of frequencies, or the axes alternate along one.",
      .formula =
          "ladders: Rot(p_a base^(-2m/R_a)) on the R_a channels of axis a; alternating: Rot(p_(m mod A) base^(-2m/K))",
      .used_in = "FLUX.1, Wan 2.1, SAM 2, HunyuanImage 3",
      .real_positions = true,
      .least_axes = 1,
      .most_axes = 8};
  enum class Layout { ladders, alternating };
  static constexpr const char* layouts[] = {"ladders", "alternating"};
  Layout layout;
  std::optional<int> axes;
  std::optional<std::vector<double>> widths;
  double base;
  Pairing style;
  static constexpr std::tuple params{
      choice(&RopeNd::layout, "layout", layouts, "whether each axis has a ladder of frequencies, or a part of one"),
      integer(&RopeNd::axes, "axes", unset, between(1, 8), "numbers of a position; unset: as many as widths, or 2"),
      list(&RopeNd::widths, "widths", unset, at_least(0),
           "ladders: channels of a head that rotate by each axis, in the order of a position's numbers; unset: equal "
           "even shares, the rest for the first"),
      real(&RopeNd::base, "base", 1e4, above(0), "the longest wavelength of a ladder over 2 pi, about")
          .as(Role::base)
          .usual(usual_bases),
      choice(&RopeNd::style, "style", pairings, "which two channels rotate together").as(Role::pairing)};

  std::vector<std::vector<double>> ladders;  // of each axis, radians a unit of its coordinate
  int A = 0, rotated = 0;

  Traits traits() const {
    return Traits()
        .claims(isometry | relative | content_free | length_free | bounded)
        .axes(A)
        .pairing(style)
        .rotary_width(rotated);
  }

  void prepare(const Model& m) {
    A = axes.value_or(widths ? static_cast<int>(widths->size()) : 2);
    require(A >= 1, "a position has one number or more, not ", A);
    require(!widths || static_cast<int>(widths->size()) == A, "widths has ", widths ? widths->size() : 0,
            " numbers, but a position has ", A);
    require(layout == Layout::ladders || !widths, "widths belongs to ladders: where axes alternate, all share K");
    require(m.K % 2 == 0, "channels are rotated in pairs: the head width must be even, not ", m.K);
    layout == Layout::ladders ? prepare_ladders(m) : prepare_alternating(m);
  }

  void rotate(Point p, Row<double> cosines, Row<double> sines) const {
    if (layout == Layout::alternating) return rotate_alternating(p, cosines, sines);
    std::size_t first = 0;
    for (int a = 0; a < A; ++a) {
      const std::vector<double>& ladder = ladders[static_cast<std::size_t>(a)];
      sines_and_cosines(p[a], ladder, sines.subspan(first, ladder.size()), cosines.subspan(first, ladder.size()));
      first += ladder.size();
    }
  }

 private:
  void prepare_ladders(const Model& m) {
    std::vector<double> share(static_cast<std::size_t>(A), 2.0 * (m.K / 2 / A));
    share[0] = m.K - (A - 1) * share[0];
    if (widths) share = *widths;
    for (const double width : share) {
      require(width == 2 * std::floor(width / 2), "widths must be even whole numbers of channels, not ", width);
      std::vector<double>& ladder = ladders.emplace_back();
      for (int i = 0; i < width / 2; ++i) ladder.push_back(std::pow(base, -2.0 * i / width));
    }
    const double sum = std::accumulate(share.begin(), share.end(), 0.0);
    require(sum <= m.K, "widths must sum to the ", m.K, " channels of a head at most, not to ", sum);
    rotated = static_cast<int>(sum);
  }

  // Plane m belongs to axis m mod A, with the frequency that RoPE gives to m.
  void prepare_alternating(const Model& m) {
    require(m.K % (2 * A) == 0, "axes alternate from plane to plane: the head width must be a multiple of ", 2 * A,
            ", not ", m.K);
    ladders.resize(static_cast<std::size_t>(A));
    for (int i = 0; i < m.K / 2; ++i)
      ladders[static_cast<std::size_t>(i % A)].push_back(std::pow(base, -2.0 * i / m.K));
    rotated = m.K;
  }
  void rotate_alternating(Point p, Row<double> cosines, Row<double> sines) const {
    for (int a = 0; a < A; ++a)
      for_sines_and_cosines(p[a], ladders[static_cast<std::size_t>(a)], [&](std::size_t m, double sine, double cosine) {
        const std::size_t plane = m * static_cast<std::size_t>(A) + static_cast<std::size_t>(a);
        sines[plane] = sine;
        cosines[plane] = cosine;
      });
  }
};
POSLAB_SCHEME(RopeNd)
