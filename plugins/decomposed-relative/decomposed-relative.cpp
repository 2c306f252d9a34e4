// SPDX-License-Identifier: Apache-2.0
// Relative position of image patches, decomposed: the query meets one learned vector for the offset of rows and one for
// that of columns. Dimension letters: H heads, K head width, Nq queries, Nk keys.
#include <poslab/scheme.hpp>

using namespace poslab;

struct DecomposedRelative {
  static constexpr Card card{
      .id = "decomposed-relative",
      .title = "Decomposed relative position on a grid",
      .version = "1.0",
      .paper = "Li et al. 2022 (MViTv2), arXiv:2112.01526; Kirillov et al. 2023 (Segment Anything), arXiv:2304.02643",
      .summary =
          "Adds to a logit the products of the query with a vector of the row offset and one of the column offset.",
      .formula = "logit += q_i . Rh[y_i - y_j] + q_i . Rw[x_i - x_j], the query before 1/sqrt(K)",
      .used_in = "MViTv2, ViTDet, Segment Anything",
      .family = Family::relative,
      .least_axes = 2,
      .most_axes = 2};
  std::vector<double> grid;
  double init_std;
  static constexpr double grid_by_default[] = {14, 14};
  static constexpr std::tuple params{
      list(&DecomposedRelative::grid, "grid", grid_by_default, between(1, 4096),
           "rows and columns that the tables serve")
          .in("position"),
      real(&DecomposedRelative::init_std, "init_std", 0.02, at_least(0), "standard deviation of the initial vectors")};

  Index rows = 0, columns = 0;

  Traits traits() const {
    return Traits()
        .claims(relative | length_free | bounded)
        .min_position(0)
        .max_position(static_cast<double>(std::max(rows, columns) - 1));  // the shorter side: `offset_row`
  }
  void prepare() {
    require(grid.size() == 2, "grid must be two numbers, rows and columns, not ", grid.size());
    for (const double extent : grid)
      require(extent == std::floor(extent), "grid must be whole numbers of patches, not ", extent);
    rows = static_cast<Index>(grid[0]), columns = static_cast<Index>(grid[1]);
  }
  std::vector<Weight> weights(const Model& m) const {
    return {normal("rows", {2 * rows - 1, m.K}, init_std, "Rh: row r is met at y_query - y_key = r - (rows - 1)")
                .each_layer(),
            normal("columns", {2 * columns - 1, m.K}, init_std, "Rw, of columns alike").each_layer()};
  }

  template <class S>
  void score(const ScoreTile<S>& tile, Weights<const S> w) const {
    for_pairs(tile, tile.logits.shape(0), [&](Index h, Index i, Index j, Index y, Index x) {
      tile.logits(h, i, j) += dot(tile.query.row(h, i), w[0].row(y)) + dot(tile.query.row(h, i), w[1].row(x));
    });
  }
  template <class S>
  void score_gradient(const ScoreTile<S>& tile, Weights<const S> w, const ScoreGradient<S>& gradient,
                      Weights<S> dw) const {
    for_pairs(tile, gradient.logits.shape(0), [&](Index h, Index i, Index j, Index y, Index x) {
      const S by = gradient.logits(h, i, j);
      if (by == 0) return;  // masked
      const auto query = tile.query.row(h, i);
      add_scaled(dw[0].row(y), by, query);
      add_scaled(dw[1].row(x), by, query);
      add_scaled(gradient.query.row(h, i), by, w[0].row(y));
      add_scaled(gradient.query.row(h, i), by, w[1].row(x));
    });
  }

 private:
  // body(h, i, j, row of Rh, row of Rw)
  template <class Tile, class Body>
  void for_pairs(const Tile& tile, Index H, Body body) const {
    for (Index i = 0; i < tile.query_positions.size(); ++i)
      for (Index j = 0; j < tile.key_positions.size(); ++j) {
        const Point query = tile.query_positions[i], key = tile.key_positions[j];
        const Index y = offset_row(query[0], key[0], rows, "row"), x = offset_row(query[1], key[1], columns, "column");
        for (Index h = 0; h < H; ++h) body(h, i, j, y, x);
      }
  }
  static Index offset_row(double query, double key, Index extent, const char* axis) {
    require(query < static_cast<double>(extent) && key < static_cast<double>(extent), "the tables serve ", extent, " ",
            axis, "s, from 0; a patch lies at ", std::max(query, key));
    return static_cast<Index>(query - key) + extent - 1;
  }
};
POSLAB_SCHEME(DecomposedRelative)
