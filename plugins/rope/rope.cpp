// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding: pairs of channels of q and k turn by an angle that grows with the position.
#include <poslab/scheme.hpp>
using namespace poslab;

struct Rope {
  static constexpr Card card{.id = "rope",
                             .title = "Rotary position embedding",
                             .version = "1.0",
                             .paper = "Su et al. 2021, arXiv:2104.09864",
                             .summary = "Turns pairs of channels of queries and keys by angles proportional to the position.",
                             .formula = "(x, y) -> (x cos pw - y sin pw, y cos pw + x sin pw), w_m = base^(-2m/R)",
                             .used_in = "GPT-J, GPT-NeoX, Llama, Qwen, Gemma",
                             .real_positions = true};
  static constexpr const char* styles[] = {"interleaved", "half-split"};
  double base, fraction;
  std::optional<int> width;
  Pairing pairing;
  int rotary_width;
  std::vector<double> inverse_frequency;
  static constexpr std::tuple params{
      real(&Rope::base, "base", 1e4, above(0), "the longest wavelength over 2 pi, about"),
      choice(&Rope::pairing, "style", styles, "which two channels turn together"),
      real(&Rope::fraction, "fraction", 1, between(0, 1), "the part of a head's channels, the first ones, that turns"),
      integer(&Rope::width, "rotary_width", unset, at_least(0), "how many channels turn, instead of a fraction")};
  static constexpr auto claims = isometry | relative | content_free | length_free | bounded;

  void prepare(const Model& m) {
    rotary_width = width.value_or(static_cast<int>(fraction * m.K));
    for (int i = 0; i < rotary_width / 2; ++i) inverse_frequency.push_back(std::pow(base, -2.0 * i / rotary_width));
  }
  void turn(Point p, Row<double> cosines, Row<double> sines) const {
    sines_and_cosines(p, inverse_frequency, sines, cosines);
  }
};
POSLAB_SCHEME(Rope)
