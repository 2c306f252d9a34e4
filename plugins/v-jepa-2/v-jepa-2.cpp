// SPDX-License-Identifier: Apache-2.0
// V-JEPA 2's rotary embedding of video patches: cosines and sines are tiled over an axis's channels while its pairs are
// neighbours, so that the two channels of a pair turn by different angles. Kept as published weights need it.
// Dimension letters: K head width, R = 2 floor(floor(K / 3) / 2) channels of an axis, c a channel of an axis.
#include <array>

#include <poslab/scheme.hpp>

using namespace poslab;

struct VJepa2 {
  static constexpr Card card{
      .id = "v-jepa-2",
      .title = "V-JEPA 2's rotary embedding",
      .version = "1.0",
      .paper = "Assran et al. 2025, arXiv:2506.09985; vjepa2, pull request 15",
      .summary = "Rotates a third of a head each by frame, row and column, with angles that do not fit the pairs.",
      .formula =
          "y_2k = x_2k cos(f_2k) - x_(2k+1) sin(f_2k), y_(2k+1) = x_(2k+1) cos(f_(2k+1)) + x_2k sin(f_(2k+1)), "
          "f_c = p base^(-2 (c mod R/2) / R)",
      .used_in = "V-JEPA 2, V-JEPA 2-AC; fixed: V-JEPA 2.1",
      .real_positions = true,
      .family = Family::rotary,
      .least_axes = 3,
      .most_axes = 3};
  bool fixed;
  double base;
  static constexpr std::tuple params{
      flag(&VJepa2::fixed, "fixed", false, "both channels of a pair turn by one angle, as in V-JEPA 2.1"),
      real(&VJepa2::base, "base", 1e4, above(0), "the longest wavelength of an axis over 2 pi, about")
          .as(Role::base)
          .usual(usual_bases)};
  Traits traits() const {
    return Traits().claims(content_free | length_free | bounded | (fixed ? isometry | relative : no_claims));
  }

  std::vector<double> frequency;  // [R / 2]

  void prepare(const Model& m) {
    const int half = m.K / 3 / 2;
    require(half > 0,
            "V-JEPA 2 gives two channels or more to each of three axes: the head width must be at least 6, not ", m.K);
    for (int k = 0; k < half; ++k) frequency.push_back(std::pow(base, -static_cast<double>(k) / half));
  }

  template <class S>
  void transform(Point p, Row<S> row) const {
    for_pairs(p, row, [](Turn one, Turn other, S& a, S& b) {
      const S x = a, y = b;
      a = x * S(one.cosine) - y * S(one.sine);
      b = y * S(other.cosine) + x * S(other.sine);
    });
  }
  // By the transposed matrix of each pair.
  template <class S>
  void transform_gradient(Point p, Row<S> gradient) const {
    for_pairs(p, gradient, [](Turn one, Turn other, S& a, S& b) {
      const S by_a = a, by_b = b;
      a = by_a * S(one.cosine) + by_b * S(other.sine);
      b = by_b * S(other.cosine) - by_a * S(one.sine);
    });
  }

 private:
  struct Turn {
    double sine, cosine;
  };
  template <class S, class Body>
  void for_pairs(Point p, Row<S> row, Body body) const {
    const std::size_t half = frequency.size();
    std::vector<Turn> turns(half);
    for (int axis = 0; axis < 3; ++axis) {
      for_sines_and_cosines(p[axis], frequency, [&](std::size_t k, double sine, double cosine) {
        turns[k] = {sine, cosine};
      });
      const Row<S> mine = row.subspan(2 * half * static_cast<std::size_t>(axis), 2 * half);
      for (std::size_t k = 0; k < half; ++k) {
        const std::size_t c = 2 * k;
        body(turns[fixed ? k : c % half], turns[fixed ? k : (c + 1) % half], mine[c], mine[c + 1]);
      }
    }
  }
};
POSLAB_SCHEME(VJepa2)
