// New scheme: pairs of channels of queries and keys are rotated by an angle that grows with the position.
#include <poslab/scheme.hpp>

using namespace poslab;

struct NewScheme {
  static constexpr Card card{
      .id = "new-scheme",
      .title = "New scheme",
      .version = "0.1",
      .paper = "Author et al. 2026, arXiv:0000.00000",
      .summary = "Rotates pairs of channels of queries and keys.",
      .formula = "(x, y) -> (x cos pw - y sin pw, y cos pw + x sin pw), w_m = base^(-2m/K)",
      .real_positions = true,
  };
  double base;
  Pairing pairing;
  std::vector<double> inverse_frequency;
  static constexpr std::tuple params{
      real(&NewScheme::base, "base", 1e4, above(0), "the longest wavelength over 2 pi, about"),
      choice(&NewScheme::pairing, "style", pairings, "which two channels are rotated together")};
  static constexpr Claims claimed = isometry | relative | content_free | length_free | bounded;
  Traits traits() const { return Traits().claims(claimed).pairing(pairing).inverse_frequency(inverse_frequency); }

  void prepare(const Model& m) {
    require(m.K % 2 == 0, "new-scheme needs an even head width, not ", m.K);
    for (int i = 0; i < m.K / 2; ++i) inverse_frequency.push_back(std::pow(base, -2.0 * i / m.K));
  }
  void rotate(Point p, Row<double> cosines, Row<double> sines) const {
    sines_and_cosines(p, inverse_frequency, sines, cosines);
  }
};
POSLAB_SCHEME(NewScheme)
