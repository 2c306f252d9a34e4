// SPDX-License-Identifier: Apache-2.0
// Learned angles on all four sides: what passes through values and outputs reaches weights, too.
#include <poslab/scheme.hpp>

using namespace poslab;

struct LearnedTurns {
  static constexpr Card card{.id = "learned-turns",
                             .title = "Learned angles on all sides",
                             .version = "1.0",
                             .summary = "Rotates queries, keys, values and outputs by learned angles.",
                             .formula = "angle_hm = p w_hm, of outputs the opposite",
                             .real_positions = true};
  static constexpr Traits traits = Traits()
                                       .claims(isometry | relative | content_free | length_free | bounded)
                                       .sides(Side::query, Side::key, Side::value, Side::output);
  std::vector<Weight> weights(const Model& m) const {
    return {normal("w", {m.H, m.K / 2}, 0.3, "radians per position").each_layer()};
  }
  template <class S>
  void rotate(int head, Point p, Row<S> cosines, Row<S> sines, Weights<const S> w) const {
    using std::cos, std::sin;
    for (std::size_t m = 0; m < cosines.size(); ++m) {
      const S angle = S(p) * w[0](head, static_cast<Index>(m));
      cosines[m] = cos(angle);
      sines[m] = sin(angle);
    }
  }
};
POSLAB_SCHEME(LearnedTurns)
