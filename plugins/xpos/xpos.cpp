// SPDX-License-Identifier: Apache-2.0
// xPos: RoPE whose planes also decay with the distance, fast ones most: queries get zeta^e where keys get zeta^-e.
// Dimension letters: K head width, m = 0 .. K/2 - 1 a plane, N length of the context.
#include <poslab/scheme.hpp>

using namespace poslab;

struct Xpos {
  static constexpr Card card{
      .id = "xpos",
      .title = "Extrapolatable position embedding",
      .version = "1.0",
      .paper = "Sun et al. 2022, arXiv:2212.10554",
      .summary = "Rotary planes whose products also decay with the distance, fast planes most.",
      .formula =
          "q' = zeta_m^e Rot(p w_m) q, k' = zeta_m^-e Rot(p w_m) k, zeta_m = (2m/K + gamma) / (1 + gamma), "
          "e = (p + c) / scale_base",
      .used_in = "TorchScale, LeX Transformer, x-transformers",
      .real_positions = real_positions};
  enum class Centre { torchscale, x_transformers, none };
  static constexpr const char* centres[] = {"torchscale", "x-transformers", "none"};
  double base, scale_base, gamma;
  Centre centre;
  Pairing pairing;
  static constexpr std::tuple params{
      real(&Xpos::base, "base", 1e4, above(0), "the longest wavelength over 2 pi, about")
          .as(Role::base)
          .usual(usual_bases),
      real(&Xpos::scale_base, "scale_base", 512, above(0), "distance at which a plane decays by zeta")
          .usual({512, 64, 16, 2048})
          .in("position"),
      real(&Xpos::gamma, "gamma", 0.4, above(0), "zeta of the fastest plane is gamma / (1 + gamma)").usual({0.4, 1.0}),
      choice(&Xpos::centre, "centre", centres, "c: floor(-N / 2), -floor(N / 2), or 0; logits do not depend on it"),
      choice(&Xpos::pairing, "style", pairings, "which two channels are rotated together").as(Role::pairing)};

  std::vector<double> inverse_frequency, log_zeta;
  Traits traits() const {
    return Traits()
        .claims(relative | content_free | (centre == Centre::none ? length_free : no_claims))
        .mask(Mask::causal_only)
        .min_position(-farthest())
        .max_position(farthest())
        .pairing(pairing)
        .inverse_frequency(inverse_frequency);
  }

  void prepare(const Model& m) {
    for (int i = 0; i < m.K / 2; ++i) {
      inverse_frequency.push_back(std::pow(base, -2.0 * i / m.K));
      log_zeta.push_back(std::log((2.0 * i / m.K + gamma) / (1 + gamma)));
    }
  }

  // |e| up to here keeps zeta^e within 1e-18 .. 1e18, far from what a float loses.
  double largest_exponent() const { return std::log(1e18) / std::log1p(1 / gamma); }
  double farthest() const { return scale_base * largest_exponent(); }

  double exponent(double position, Index length) const {
    const double N = static_cast<double>(length);
    const double c = centre == Centre::torchscale       ? std::floor(-N / 2)
                     : centre == Centre::x_transformers ? -std::floor(N / 2)
                                                        : 0;
    const double e = (position + c) / scale_base;
    if (!(std::abs(e) <= 1.6 * largest_exponent()))
      throw Failure(
          POSLAB_OUT_OF_RANGE,
          sdk::text("xpos: position ", position, " in a context of ", length, " needs the magnitude zeta^", e,
                    ", which overflows; positions up to ", farthest(), " in contexts that end there are served"));
    return e;
  }

  void rotate(Context context, Side side, Point p, Row<double> cosines, Row<double> sines) const {
    const double e = exponent(p, context.length) * (side == Side::query ? 1 : -1);
    sines_and_cosines(p, inverse_frequency, sines, cosines);
    for (std::size_t m = 0; m < log_zeta.size(); ++m) {
      const double magnitude = std::exp(e * log_zeta[m]);
      cosines[m] *= magnitude;
      sines[m] *= magnitude;
    }
  }
};
POSLAB_SCHEME(Xpos)
