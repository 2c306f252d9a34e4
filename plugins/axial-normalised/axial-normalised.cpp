// SPDX-License-Identifier: Apache-2.0
// DINOv3's rotary embedding: coordinates of patches are brought to [-1, 1] first, so that images of any resolution span
// the same angles. Dimension letters: K head width, m = 0 .. K/4 - 1.
#include <numbers>

#include <poslab/scheme.hpp>

using namespace poslab;

struct AxialNormalised {
  static constexpr Card card{
      .id = "axial-normalised",
      .title = "DINOv3's rotary embedding",
      .version = "1.0",
      .paper = "Simeoni et al. 2025 (DINOv3), arXiv:2508.10104",
      .summary = "Half of the planes rotate by the row and half by the column, both as a share of the image.",
      .formula = "Rot(2 pi u / T_m), T_m = base^(4m/K), u = 2 (p + 1/2) / extent - 1 of the row, then of the column",
      .used_in = "DINOv3",
      .real_positions = true,
      .family = Family::rotary,
      .least_axes = 2,
      .most_axes = 2};
  enum class By { separate, longer, shorter };
  static constexpr const char* extents[] = {"separate", "max", "min"};
  std::vector<double> grid;
  By normalise;
  double base;
  std::optional<double> min_period, max_period;
  static constexpr double grid_by_default[] = {16, 16};
  static constexpr std::tuple params{
      list(&AxialNormalised::grid, "grid", grid_by_default, above(0), "rows and columns of the image").in("position"),
      choice(&AxialNormalised::normalise, "normalise", extents,
             "by which extent: each axis by its own, or both by the larger or the smaller"),
      real(&AxialNormalised::base, "base", 100, above(0), "the longest period is base^((K - 4) / K)")
          .as(Role::base)
          .usual(usual_bases),
      real(&AxialNormalised::min_period, "min_period", unset, above(0), "with max_period, in place of base"),
      real(&AxialNormalised::max_period, "max_period", unset, above(0), "the longest period")};
  static constexpr Traits traits =
      Traits().claims(isometry | relative | content_free | length_free | bounded).pairing(Pairing::half_split);

  std::vector<double> frequency;  // 2 pi / T_m [K / 4]
  double extent[2] = {1, 1};

  void prepare(const Model& m) {
    require(m.K % 4 == 0,
            "DINOv3 shares a head's planes between row and column: the head width must be a multiple of "
            "4, not ",
            m.K);
    require(grid.size() == 2, "grid must be two numbers, rows and columns, not ", grid.size());
    require(min_period.has_value() == max_period.has_value(), "min_period and max_period are given together");
    for (int i = 0; i < m.K / 4; ++i) frequency.push_back(2 * std::numbers::pi / period(i, m.K / 4));
    for (std::size_t axis = 0; axis < 2; ++axis)
      extent[axis] = normalise == By::separate ? grid[axis]
                     : normalise == By::longer ? std::max(grid[0], grid[1])
                                               : std::min(grid[0], grid[1]);
  }

  void rotate(Point p, Row<double> cosines, Row<double> sines) const {
    const std::size_t n = frequency.size();
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const double u = 2 * ((p[static_cast<int>(axis)] + 0.5) / extent[axis]) - 1;
      sines_and_cosines(u, frequency, sines.subspan(axis * n, n), cosines.subspan(axis * n, n));
    }
  }

 private:
  // From min_period to max_period both included, or from 1 to one step below base.
  double period(int m, int count) const {
    if (!max_period) return std::pow(base, static_cast<double>(m) / count);
    const double ratio = *max_period / *min_period, step = count > 1 ? static_cast<double>(m) / (count - 1) : 0;
    return std::pow(ratio, step) / ratio * *max_period;
  }
};
POSLAB_SCHEME(AxialNormalised)
