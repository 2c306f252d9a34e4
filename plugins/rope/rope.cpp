// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding: pairs of channels of q and k turn by an angle that grows with the position.
#include <poslab/scheme.hpp>
using namespace poslab;

struct Rope {
  static constexpr Card card =
      Card::of("rope", "Rotary position embedding", "1.0", "Su et al. 2021, arXiv:2104.09864",
               "Turns pairs of channels of queries and keys by angles proportional to the position.",
               "(x, y) -> (x cos pw - y sin pw, y cos pw + x sin pw), w_m = base^(-2m/R)",
               "GPT-J, GPT-NeoX, Llama, Qwen, Gemma", real_positions);
  static constexpr const char* styles[] = {"interleaved", "half-split"};
  double base;
  Pairing pairing;
  std::optional<int> rotary_width;
  std::vector<double> inverse_frequency;
  static constexpr std::tuple params{
      real(&Rope::base, "base", 1e4, above(0), "the longest wavelength over 2 pi, about"),
      choice(&Rope::pairing, "style", styles, "which two channels turn together"),
      integer(&Rope::rotary_width, "rotary_width", unset, at_least(0), "how many channels of a head turn; unset: all")};
  static constexpr auto claims = isometry | relative | content_free | length_free | bounded;

  void prepare(const Model& m) {
    const int R = rotary_width.value_or(m.K);
    for (int i = 0; i < R / 2; ++i) inverse_frequency.push_back(std::pow(base, -2.0 * i / R));
  }
  void turn(Point p, Row<double> cosines, Row<double> sines) const {
    sines_and_cosines(p, inverse_frequency, sines, cosines);
  }
};
POSLAB_SCHEME(Rope)
