// SPDX-License-Identifier: Apache-2.0
// Multimodal RoPE: the planes of a head are shared out among time, row and column of a position.
// Dimension letters: K head width, P = K/2 planes.
#include <poslab/scheme.hpp>

using namespace poslab;

struct MRope {
  static constexpr Card card{
      .id = "m-rope",
      .title = "Multimodal rotary embedding",
      .version = "1.0",
      .paper = "Wang et al. 2024 (Qwen2-VL), arXiv:2409.12191",
      .summary = "RoPE whose planes rotate by a token's time, row or column; text counts the same in all three.",
      .formula = "plane m rotates by base^(-2m/K) times t for the first section, h for the second, w for the third",
      .used_in = "Qwen2-VL, Qwen2.5-VL",
      .real_positions = real_positions,
      .least_axes = 1,
      .most_axes = 3};
  static constexpr const char* styles[] = {"half-split", "interleaved"};
  enum class Style { half_split, interleaved };
  double base;
  std::optional<std::vector<double>> sections;
  Style style;
  static constexpr std::tuple params{
      real(&MRope::base, "base", 1e4, above(0), "the longest wavelength over 2 pi, about"),
      list(&MRope::sections, "sections", unset, at_least(0),
           "planes of time, row and column; unset: a quarter, three eighths, three eighths"),
      choice(&MRope::style, "style", styles, "which two channels are rotated together")};

  std::vector<double> inverse_frequency;
  std::size_t planes[3];  // of each section

  Traits traits() const {
    return Traits()
        .claims(isometry | relative | content_free | length_free | bounded)
        .pairing(style == Style::half_split ? Pairing::half_split : Pairing::interleaved)
        .inverse_frequency(inverse_frequency);
  }

  void prepare(const Model& m) {
    const int P = m.K / 2;
    for (int i = 0; i < P; ++i) inverse_frequency.push_back(std::pow(base, -2.0 * i / m.K));
    const double time = std::round(P / 4.0), row = std::ceil((P - time) / 2);
    const std::vector<double> shares = sections.value_or(std::vector<double>{time, row, P - time - row});
    require(shares.size() == 3, "sections must be three numbers, planes of time, row and column, not ", shares.size());
    double sum = 0;
    for (std::size_t s = 0; s < 3; ++s) {
      require(shares[s] == std::floor(shares[s]), "sections must be whole numbers of planes, not ", shares[s]);
      sum += shares[s];
    }
    require(sum == P, "sections must sum to the ", P, " planes of a head of width ", m.K, ", not to ", sum);
    for (std::size_t s = 0; s < 3; ++s) planes[s] = static_cast<std::size_t>(shares[s]);
  }

  // One number is text, the same on all axes; two are the row and column of an image, at time 0.
  static double coordinate(Point p, int axis) {
    if (p.axes() == 1) return p[0];
    const int given = axis - (3 - p.axes());
    return given < 0 ? 0 : p[given];
  }

  void rotate(Point p, Row<double> cosines, Row<double> sines) const {
    const std::span<const double> frequency(inverse_frequency);
    std::size_t first = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const std::size_t count = planes[axis];
      sines_and_cosines(coordinate(p, axis), frequency.subspan(first, count), sines.subspan(first, count),
                        cosines.subspan(first, count));
      first += count;
    }
  }
};
POSLAB_SCHEME(MRope)
