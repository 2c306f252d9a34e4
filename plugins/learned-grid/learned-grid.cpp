// SPDX-License-Identifier: Apache-2.0
// A learned table over the patches of an image, resampled where an image has more or fewer of them.
// Dimension letters: D model width.
#include <poslab/scheme.hpp>

#include "resampling.hpp"
using namespace poslab;

struct LearnedGrid {
  static constexpr Card card{
      .id = "learned-grid",
      .title = "Learned table over a grid, resampled",
      .version = "1.0",
      .paper = "Dosovitskiy et al. 2020 (ViT), arXiv:2010.11929; Oquab et al. 2023 (DINOv2), arXiv:2304.07193",
      .summary = "A learned vector per patch of a grid, interpolated where an image has another number of patches.",
      .formula = "e(y, x) = sum_ab u_a(y) v_b(x) E[a, b], u and v linear or cubic weights of old rows and columns",
      .used_in = "ViT, DeiT, DINO, DINOv2, OpenCLIP",
      .least_axes = 2,
      .most_axes = 2};
  enum class Method { bicubic, bilinear };
  static constexpr const char* methods[] = {"bicubic", "bilinear"};
  std::vector<double> trained_grid;
  std::optional<std::vector<double>> grid;
  Method method;
  bool antialias, align_corners;
  double offset, init_std;
  static constexpr double of_vit[] = {14, 14};
  static constexpr std::tuple params{
      list(&LearnedGrid::trained_grid, "trained_grid", of_vit, between(1, 4096), "rows and columns of the table")
          .in("position"),
      list(&LearnedGrid::grid, "grid", unset, between(1, 4096), "rows and columns of the image; unset: the table's")
          .in("position"),
      choice(&LearnedGrid::method, "method", methods, "what lies between the rows of the table"),
      flag(&LearnedGrid::antialias, "antialias", false, "a coarser grid averages over all that it steps over"),
      flag(&LearnedGrid::align_corners, "align_corners", false,
           "patches are points, and first and last ones meet; else they have extents"),
      real(&LearnedGrid::offset, "offset", 0, at_least(0),
           "added to the extents of the image for the step between its patches, as in DINOv2 (0.1)"),
      real(&LearnedGrid::init_std, "init_std", 0.02, at_least(0), "standard deviation of the initial vectors")};

  int extent[2] = {1, 1};                 // of the image
  std::vector<resampling::Taps> taps[2];  // of its rows and of its columns

  Traits traits() const {
    return Traits()
        .claims(content_free | length_free | bounded)
        .min_position(0)
        .max_position(std::max(extent[0], extent[1]) - 1);  // the shorter side: `at`
  }

  void prepare() {
    const std::vector<double>& wanted = grid ? *grid : trained_grid;
    require(!(align_corners && antialias), "antialias is of patches with extents: it does not go with align_corners");
    require(offset == 0 || (method == Method::bicubic && !align_corners && !antialias),
            "offset is DINOv2's, whose method is bicubic without antialias and align_corners");
    require_extents(trained_grid), require_extents(wanted);
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const int old = static_cast<int>(trained_grid[axis]);
      extent[axis] = static_cast<int>(wanted[axis]);
      for (int i = 0; i < extent[axis]; ++i) taps[axis].push_back(taps_of(i, old, extent[axis]));
    }
  }
  std::vector<Weight> weights(const Model& m) const {
    return {normal("table", {static_cast<Index>(trained_grid[0]), static_cast<Index>(trained_grid[1]), m.D}, init_std,
                   "the vector of every patch of the trained grid")};
  }

  template <class S>
  void encode(Point p, Row<S> row, Weights<const S> w) const {
    std::fill(row.begin(), row.end(), S(0));
    for_old(p, [&](Index y, Index x, double weight) { add_scaled(row, S(weight), w[0].row(y, x)); });
  }
  template <class S>
  void encode_gradient(Point p, Row<const S> gradient, Weights<const S>, Weights<S> dw) const {
    for_old(p, [&](Index y, Index x, double weight) { add_scaled(dw[0].row(y, x), S(weight), gradient); });
  }

 private:
  static void require_extents(const std::vector<double>& extents) {
    require(extents.size() == 2, "a grid has two numbers, rows and columns, not ", extents.size());
    for (const double x : extents) require(x == std::floor(x), "a grid has whole numbers of patches, not ", x);
  }

  // Patch i of `count`, of `old` ones of the table.
  resampling::Taps taps_of(int i, int old, int count) const {
    const bool is_cubic = method == Method::bicubic;
    const double step = align_corners ? (count > 1 ? (old - 1.0) / (count - 1) : 0) : old / (count + offset);
    if (antialias) return resampling::filtered_taps(step * (i + 0.5), step, old, is_cubic);
    const double at = align_corners ? step * i : step * (i + 0.5) - 0.5;
    return is_cubic ? resampling::cubic_taps(at, old) : resampling::linear_taps(at, old);
  }

  const resampling::Taps& at(Point p, int axis) const {
    const auto i = static_cast<int>(p[axis]);
    if (i >= extent[axis])
      throw Failure(POSLAB_OUT_OF_RANGE,
                    sdk::text(axis == 0 ? "row " : "column ", i, " is beyond the grid, which has ", extent[axis]));
    return taps[axis][static_cast<std::size_t>(i)];
  }
  template <class Use>
  void for_old(Point p, Use use) const {
    for (const resampling::Tap& y : at(p, 0))
      for (const resampling::Tap& x : at(p, 1)) use(y.at, x.at, y.weight * x.weight);
  }
};
POSLAB_SCHEME(LearnedGrid)
