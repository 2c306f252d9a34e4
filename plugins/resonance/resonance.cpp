// SPDX-License-Identifier: Apache-2.0
// RoPE whose wavelengths are whole numbers of positions, so that every plane comes back exactly to where it was.
// Dimension letters: K head width, R rotated channels, m a plane.
#include <cmath>
#include <numbers>
#include <numeric>

#include <poslab/scheme.hpp>

using namespace poslab;

struct Resonance {
  static constexpr Card card{.id = "resonance",
                             .title = "Resonance RoPE",
                             .version = "1.0",
                             .paper = "Wang et al. 2024, arXiv:2403.00071",
                             .summary = "RoPE with every wavelength rounded to a whole number of positions.",
                             .formula = "plane m rotates by 2 pi p / L_m, L_m = round(2 pi base^(2m/R))",
                             .real_positions = true,
                             .family = Family::rotary};
  double base;
  Pairing style;
  std::optional<int> rotary_width;
  RotaryPart rotary_part;
  static constexpr std::tuple params{
      real(&Resonance::base, "base", 1e4, at_least(1), "the longest wavelength over 2 pi, about")
          .as(Role::base)
          .usual(usual_bases),
      choice(&Resonance::style, "style", pairings, "which two channels rotate together").as(Role::pairing),
      integer(&Resonance::rotary_width, "rotary_width", unset, at_least(0),
              "how many channels of a head rotate; unset: all")
          .as(Role::rotary_width),
      choice(&Resonance::rotary_part, "rotary_part", rotary_parts,
             "whether these are the first channels of a head, or the last")};

  std::vector<double> wavelength, inverse_frequency;  // [R / 2]

  void prepare(const Model& m) {
    const int R = rotary_width.value_or(m.K);
    for (int i = 0; i < R / 2; ++i) {
      wavelength.push_back(std::nearbyint(2 * std::numbers::pi * std::pow(base, 2.0 * i / R)));
      inverse_frequency.push_back(2 * std::numbers::pi / wavelength.back());
    }
  }
  Traits traits() const {
    return Traits()
        .claims(isometry | relative | content_free | length_free | bounded)
        .pairing(style)
        .rotary_width(rotary_width)
        .rotary_part(rotary_part)
        .inverse_frequency(inverse_frequency)
        .unique_up_to(period());
  }

  // Whole wavelengths are taken off before the angle is, so that equal codes are equal to the bit.
  void rotate(Point p, Row<double> cosines, Row<double> sines) const {
    for (std::size_t m = 0; m < wavelength.size(); ++m) {
      const SineCosine at = sine_and_cosine(inverse_frequency[m] * std::fmod(p, wavelength[m]));
      cosines[m] = at.cosine;
      sines[m] = at.sine;
    }
  }

 private:
  /// After so many positions all codes come again: the least common multiple, or as far as doubles count.
  double period() const {
    constexpr double largest = 1e15;
    double lcm = 1;
    for (const double length : wavelength) {
      if (!(length < largest)) return largest;
      const double gcd =
          static_cast<double>(std::gcd(static_cast<std::int64_t>(lcm), static_cast<std::int64_t>(length)));
      lcm *= length / gcd;
      if (!(lcm < largest)) return largest;
    }
    return lcm;
  }
};
POSLAB_SCHEME(Resonance)
