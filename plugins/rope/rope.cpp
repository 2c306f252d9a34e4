// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding: pairs of channels of q and k are rotated by an angle that grows with the position.
#include "scaling.hpp"
using namespace poslab;

struct Rope : RopeScaling {
  static constexpr Card card{
      .id = "rope",
      .title = "Rotary position embedding",
      .version = "1.0",
      .paper = "Su et al. 2021, arXiv:2104.09864",
      .summary = "Rotates pairs of channels of queries and keys by angles proportional to the position.",
      .formula = "(x, y) -> (x cos pw - y sin pw, y cos pw + x sin pw), w_m = base^(-2m/R), scaled for long contexts",
      .used_in = "GPT-J, GPT-NeoX, Llama, Falcon, Qwen, Gemma, DeepSeek, Phi-3",
      .real_positions = true,
  };
  Pairing pairing;
  std::optional<int> rotary_width;
  RotaryPart rotary_part;
  static constexpr auto params = std::tuple_cat(
      std::tuple{real(&Rope::base, "base", 1e4, above(0), "the longest wavelength over 2 pi, about")
                     .as(Role::base)
                     .usual(usual_bases),
                 choice(&Rope::pairing, "style", pairings, "which two channels rotate together").as(Role::pairing),
                 integer(&Rope::rotary_width, "rotary_width", unset, at_least(0),
                         "how many channels of a head rotate; unset: all")
                     .as(Role::rotary_width),
                 choice(&Rope::rotary_part, "rotary_part", rotary_parts,
                        "whether these are the first channels of a head, or the last")},
      scaling_params);

  void prepare(const Model& m) { prepare_scaling(rotary_width.value_or(m.K), m); }
  Traits traits(const Model& m) const {
    return scaling_traits(m).pairing(pairing).rotary_width(rotary_width).rotary_part(rotary_part);
  }
  void rotate(Context context, Point p, Row<double> cosines, Row<double> sines) const {
    by_length() ? planes_at(context.length).rotate(p, cosines, sines) : planes.rotate(p, cosines, sines);
  }
};
POSLAB_SCHEME(Rope)
