// SPDX-License-Identifier: Apache-2.0
// RetNet: rotary planes with evenly spaced logarithms of frequency, and a decay by distance of its own in every head.
// Dimension letters: K head width, P = K/2 planes.
#include <poslab/scheme.hpp>

using namespace poslab;

struct RetNet {
  static constexpr Card card{
      .id = "retnet",
      .title = "Retention's rotation and decay",
      .version = "1.0",
      .paper = "Sun et al. 2023, arXiv:2307.08621",
      .summary = "Rotary planes, and logits that fall linearly with the distance, by the logarithm of RetNet's decay.",
      .formula = "Rot(p base^(-m/(P-1))), bias = (i - j) ln g_h, g_h = 1 - 2^(-5-h)",
      .used_in = "RetNet (TorchScale)",
      .real_positions = real_positions,
      .family = Family::rotary};
  double base;
  Pairing pairing;
  static constexpr std::tuple params{
      real(&RetNet::base, "base", 1e4, above(0), "the slowest plane rotates by 1 / base a position")
          .as(Role::base)
          .usual(usual_bases),
      choice(&RetNet::pairing, "style", pairings, "which two channels are rotated together").as(Role::pairing)};

  std::vector<double> inverse_frequency;
  Traits traits() const {
    return Traits()
        .claims(isometry | relative | content_free | length_free)
        .mask(Mask::causal_only)
        .pairing(pairing)
        .inverse_frequency(inverse_frequency);
  }

  void prepare(const Model& m) {
    require(m.K >= 4, "retnet spaces its frequencies over K/2 - 1 steps: it needs a head width of at least 4, not ",
            m.K);
    const int P = m.K / 2;
    for (int i = 0; i < P; ++i) inverse_frequency.push_back(std::pow(base, -1.0 * i / (P - 1)));
  }
  void rotate(Point p, Row<double> cosines, Row<double> sines) const {
    sines_and_cosines(p, inverse_frequency, sines, cosines);
  }
  double bias(int head, double offset) const { return -offset * std::log1p(-std::exp2(-5 - head)); }
};
POSLAB_SCHEME(RetNet)
