// SPDX-License-Identifier: Apache-2.0
// Multimodal RoPE: the planes of a head are shared out among time, row and column of a position.
// Dimension letters: K head width, P = K/2 planes.
#include <poslab/scheme.hpp>

using namespace poslab;

struct MRope {
  static constexpr Card card{
      .id = "m-rope",
      .title = "Multimodal rotary embedding",
      .version = "1.1",
      .paper = "Wang et al. 2024 (Qwen2-VL), arXiv:2409.12191; Bai et al. 2025 (Qwen3-VL), arXiv:2511.21631",
      .summary = "RoPE whose planes rotate by a token's time, row or column; text counts the same in all three.",
      .formula = "plane m rotates by base^(-2m/R) times t, h or w: section after section, or in turns",
      .used_in = "Qwen2-VL, Qwen2.5-VL; in turns: Qwen3-VL",
      .real_positions = real_positions,
      .least_axes = 1,
      .most_axes = 3};
  static constexpr const char* styles[] = {"half-split", "interleaved"};
  enum class Style { half_split, interleaved };
  static constexpr const char* orders[] = {"sections", "interleaved"};
  enum class Order { sections, interleaved };
  double base;
  std::optional<std::vector<double>> sections;
  Order order;
  Style style;
  std::optional<int> rotary_width;
  RotaryPart rotary_part;
  static constexpr std::tuple params{
      real(&MRope::base, "base", 1e4, above(0), "the longest wavelength over 2 pi, about")
          .as(Role::base)
          .usual(usual_bases),
      list(&MRope::sections, "sections", unset, at_least(0),
           "planes of time, row and column; unset: a quarter, three eighths, three eighths")
          .as(Role::planes)
          .usual({{16, 24, 24}, {8, 12, 12}, {24, 20, 20}, {11, 11, 10}}),
      choice(&MRope::order, "order", orders, "whether planes go section after section, or take turns: t h w t h w ..."),
      choice(&MRope::style, "style", styles, "which two channels are rotated together").as(Role::pairing),
      integer(&MRope::rotary_width, "rotary_width", unset, at_least(0),
              "how many channels of a head rotate; unset: all")
          .as(Role::rotary_width),
      choice(&MRope::rotary_part, "rotary_part", rotary_parts,
             "whether these are the first channels of a head, or the last")};

  std::vector<double> inverse_frequency;  // [R / 2]
  std::vector<double> frequency[3];       // those of the planes of time, row and column
  std::vector<std::size_t> planes[3];     // which planes these are

  Traits traits() const {
    return Traits()
        .claims(isometry | relative | content_free | length_free | bounded)
        .pairing(style == Style::half_split ? Pairing::half_split : Pairing::interleaved)
        .rotary_width(rotary_width)
        .rotary_part(rotary_part)
        .inverse_frequency(inverse_frequency);
  }

  void prepare(const Model& m) {
    const int R = rotary_width.value_or(m.K), P = R / 2;
    for (int i = 0; i < P; ++i) inverse_frequency.push_back(std::pow(base, -2.0 * i / R));
    const double time = std::round(P / 4.0), row = std::ceil((P - time) / 2);
    const std::vector<double> shares = sections.value_or(std::vector<double>{time, row, P - time - row});
    require(shares.size() == 3, "sections must be three numbers, planes of time, row and column, not ", shares.size());
    double sum = 0;
    for (std::size_t s = 0; s < 3; ++s) {
      require(shares[s] == std::floor(shares[s]), "sections must be whole numbers of planes, not ", shares[s]);
      sum += shares[s];
    }
    require(sum == P, "sections must sum to the ", P, " planes of ",
            rotary_width ? "the rotated width " : "a head of width ", R, ", not to ", sum);
    for (int plane = 0; plane < P; ++plane) {
      const std::size_t axis = order == Order::sections ? axis_by_section(plane, shares) : axis_in_turn(plane, shares);
      planes[axis].push_back(static_cast<std::size_t>(plane));
      frequency[axis].push_back(inverse_frequency[static_cast<std::size_t>(plane)]);
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
      require(static_cast<double>(planes[axis].size()) == shares[axis], "taking turns, the axes get ", planes[0].size(),
              ", ", planes[1].size(), " and ", planes[2].size(), " planes; sections say ", shares[0], ", ", shares[1],
              " and ", shares[2], ": row and column cannot have more than a third each");
  }
  static std::size_t axis_by_section(int plane, const std::vector<double>& shares) {
    return plane < shares[0] ? 0 : plane < shares[0] + shares[1] ? 1 : 2;
  }
  // Planes 1, 4, 7, ... are the row's and 2, 5, 8, ... the column's until they have their shares; all others are of
  // time.
  static std::size_t axis_in_turn(int plane, const std::vector<double>& shares) {
    const auto axis = static_cast<std::size_t>(plane % 3);
    return axis != 0 && plane < 3 * shares[axis] ? axis : 0;
  }

  // One number is text, the same on all axes; two are the row and column of an image, at time 0.
  static double coordinate(Point p, int axis) {
    if (p.axes() == 1) return p[0];
    const int given = axis - (3 - p.axes());
    return given < 0 ? 0 : p[given];
  }

  void rotate(Point p, Row<double> cosines, Row<double> sines) const {
    for (int axis = 0; axis < 3; ++axis)
      for_sines_and_cosines(coordinate(p, axis), frequency[axis], [&](std::size_t m, double sine, double cosine) {
        cosines[planes[axis][m]] = cosine;
        sines[planes[axis][m]] = sine;
      });
  }
};
POSLAB_SCHEME(MRope)
