// SPDX-License-Identifier: Apache-2.0
// Rotary embedding of values: each is rotated by its position before it is mixed, and what a query reads is rotated
// back by the query's. So a value arrives rotated by the offset. Dimension letters: K head width, R rotary width.
#include <poslab/scheme.hpp>

using namespace poslab;

struct ValueRope {
  static constexpr Card card{
      .id = "value-rope",
      .title = "Rotary embedding of values",
      .version = "1.0",
      .paper = "Miyato et al. 2023 (GTA), arXiv:2310.10375; DeepSeek-V4 (code)",
      .summary = "Rotates values by their position, and what a query reads of them back by its own.",
      .formula = "o_m = Rot(-m w) sum_n a_mn Rot(n w) v_n, w_i = base^(-2i/R); queries and keys as in RoPE, or not",
      .used_in = "GTA, DeepSeek-V4",
      .real_positions = true};
  double base;
  Pairing style;
  std::optional<int> rotary_width;
  RotaryPart rotary_part;
  bool logits;
  static constexpr std::tuple params{
      real(&ValueRope::base, "base", 1e4, above(0), "the longest wavelength over 2 pi, about")
          .as(Role::base)
          .usual(usual_bases),
      choice(&ValueRope::style, "style", pairings, "which two channels rotate together").as(Role::pairing),
      integer(&ValueRope::rotary_width, "rotary_width", unset, at_least(0),
              "how many channels of a head rotate; unset: all")
          .as(Role::rotary_width),
      choice(&ValueRope::rotary_part, "rotary_part", rotary_parts,
             "whether these are the first channels of a head, or the last"),
      flag(&ValueRope::logits, "logits", true, "queries and keys rotate, too")};

  std::vector<double> frequency;  // [R / 2], radians per position

  void prepare(const Model& m) {
    const int R = rotary_width.value_or(m.K);
    for (int i = 0; i < R / 2; ++i) frequency.push_back(std::pow(base, -2.0 * i / R));
  }
  Traits traits() const {
    const Traits rotation = Traits()
                                .claims(isometry | relative | content_free | length_free | bounded)
                                .pairing(style)
                                .rotary_width(rotary_width)
                                .rotary_part(rotary_part)
                                .inverse_frequency(frequency);
    return logits ? rotation.sides(Side::query, Side::key, Side::value, Side::output)
                  : rotation.sides(Side::value, Side::output);
  }
  void rotate(Point p, Row<double> cosines, Row<double> sines) const {
    sines_and_cosines(p, frequency, sines, cosines);
  }
};
POSLAB_SCHEME(ValueRope)
