// New scheme: one row for each position, added to the token embedding.
#include <poslab/scheme.hpp>

using namespace poslab;

struct NewScheme {
  static constexpr Card card{
      .id = "new-scheme",
      .title = "New scheme",
      .version = "0.1",
      .paper = "Author et al. 2026, arXiv:0000.00000",
      .summary = "Adds a row of cosines, one frequency for each channel.",
      .formula = "row[c] = cos(p base^(-c/D))",
      .real_positions = true,
  };
  double base;
  std::vector<double> frequency;
  static constexpr std::tuple params{
      real(&NewScheme::base, "base", 1e4, above(0), "the slowest channel's wavelength over 2 pi")};
  static constexpr Traits traits = Traits().claims(content_free | length_free | bounded);

  void prepare(const Model& m) {
    require(m.D >= 2, "new-scheme needs at least two channels, not ", m.D);
    for (int c = 0; c < m.D; ++c) frequency.push_back(std::pow(base, -1.0 * c / m.D));
  }
  void encode(Point p, Row<double> row) const {
    for (std::size_t c = 0; c < frequency.size(); ++c) row[c] = std::cos(p * frequency[c]);
  }
};
POSLAB_SCHEME(NewScheme)
