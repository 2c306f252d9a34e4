// SPDX-License-Identifier: Apache-2.0
// Rotary angles that differ by head: each head has a longest wavelength of its own.
#include <poslab/scheme.hpp>

using namespace poslab;

struct HeadAngles {
  static constexpr Card card{.id = "head-angles",
                             .title = "Rotary angles of each head",
                             .version = "1.0",
                             .summary = "Rotates by angles whose base differs by head.",
                             .formula = "w_hm = (100 (h + 1))^(-2m/K)",
                             .real_positions = true};
  static constexpr Traits traits = Traits().claims(isometry | relative | content_free | length_free | bounded);
  Index planes = 0;
  void prepare(const Model& m) {
    require(m.K % 2 == 0, "head-angles needs an even head width, not ", m.K);
    planes = m.K / 2;
  }
  void rotate(int head, Point p, Row<double> cosines, Row<double> sines) const {
    for (std::size_t m = 0; m < cosines.size(); ++m) {
      const double frequency = std::pow(100.0 * (head + 1), -static_cast<double>(m) / static_cast<double>(planes));
      const SineCosine at = sine_and_cosine(p * frequency);
      cosines[m] = at.cosine;
      sines[m] = at.sine;
    }
  }
};
POSLAB_SCHEME(HeadAngles)
