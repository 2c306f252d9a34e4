// SPDX-License-Identifier: Apache-2.0
// What goes wrong where rotated keys are cached as values: outputs are not rotated back, and yet it claims to be
// relative.
#include <poslab/scheme.hpp>

using namespace poslab;

struct HalfTurned {
  static constexpr Card card{.id = "half-turned",
                             .title = "Rotated values that nobody rotates back",
                             .version = "1.0",
                             .summary = "Rotates queries, keys and values, but no outputs.",
                             .formula = "Rot(p / 10)",
                             .real_positions = true};
  static constexpr Traits traits = Traits()
                                       .claims(isometry | relative | content_free | length_free | bounded)
                                       .sides(Side::query, Side::key, Side::value);
  void rotate(Point p, Row<double> cosines, Row<double> sines) const {
    const SineCosine at = sine_and_cosine(p / 10);
    for (std::size_t m = 0; m < cosines.size(); ++m) cosines[m] = at.cosine, sines[m] = at.sine;
  }
};
POSLAB_SCHEME(HalfTurned)
