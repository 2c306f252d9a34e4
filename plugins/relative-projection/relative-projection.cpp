// SPDX-License-Identifier: Apache-2.0
// Relative projection: a bank of learned curves over the distance; every query mixes its own bias out of them, per
// head. Dimension letters: D model width, H heads, B curves of the bank, M distances that they cover.
#include <algorithm>

#include <poslab/scheme.hpp>

using namespace poslab;

struct RelativeProjection {
  static constexpr Card card{
      .id = "relative-projection",
      .title = "Relative projection bias",
      .version = "1.0",
      .paper = "x-transformers 2.26 RelativeProjPositionalBias, a copy of the bias of Thinking Machines' Inkling",
      .summary = "Every query mixes its bias from learned curves over the distance.",
      .formula =
          "logit = q_i . k_j / sqrt(K) + sum over b of a_i[h, b] bank[b, i - j], a_i = W x_i + c, for 0 <= i - j < M",
      .used_in = "x-transformers; much the same in Inkling",
      .family = Family::contextual};
  int basis, max_distance;
  double init_std;
  static constexpr std::tuple params{
      integer(&RelativeProjection::basis, "basis", 16, between(1, 1 << 16), "B: curves in the bank"),
      integer(&RelativeProjection::max_distance, "max_distance", 1024, between(1, 1 << 20),
              "M: distances from here on get nothing")
          .usual({128, 16, 32, 64, 8})
          .in("position"),
      real(&RelativeProjection::init_std, "init_std", 0.02, at_least(0), "standard deviation of the initial bank")};
  static constexpr Traits traits = Traits().claims(relative | length_free | bounded).mask(Mask::causal_only);

  std::vector<Weight> weights(const Model& m) const {
    const double bound = 1 / std::sqrt(m.D);
    return {
        uniform("projection", {m.H * basis, m.D}, -bound, bound, "W [H B, D]: from the layer's input to the mixture")
            .each_layer(),
        uniform("projection_bias", {m.H * basis}, -bound, bound, "c [H B]").each_layer(),
        normal("bank", {basis, max_distance}, init_std, "the curves over the distance").each_layer()};
  }

  template <class S>
  void score(const ScoreTile<S>& tile, Weights<const S> w) const {
    const Tensor<const S>& x = tile.layer_input();
    const Index Nq = tile.query_positions.size(), Nk = tile.key_positions.size();
    require_among_keys(tile);
    std::vector<S> curve;  // the query's own bias, by distance
    for (Index h = 0; h < tile.query.shape(0); ++h)
      for (Index i = 0; i < Nq; ++i) {
        const auto distance_to = [&](Index j) { return tile.query_positions[i] - tile.key_positions[j]; };
        const Index farthest = farthest_from(tile.query_positions[i], tile.key_positions);
        curve.assign(static_cast<std::size_t>(farthest + 1), S(0));
        for (Index b = 0; b < basis; ++b) {
          const S share = dot(w[0].row(h * basis + b), x.row(tile.first_query + i)) + w[1](h * basis + b);
          for (Index d = 0; d <= farthest; ++d) curve[static_cast<std::size_t>(d)] += share * w[2](b, d);
        }
        for (Index j = 0; j < Nk; ++j)
          if (within(distance_to(j))) tile.logits(h, i, j) += curve[static_cast<std::size_t>(distance_to(j))];
      }
  }

  template <class S>
  void score_gradient(const ScoreTile<S>& tile, Weights<const S> w, const ScoreGradient<S>& gradient,
                      Weights<S> dw) const {
    const Tensor<const S>& x = tile.layer_input();
    const Index Nq = tile.query_positions.size(), Nk = tile.key_positions.size();
    require_among_keys(tile);
    std::vector<S> by_curve;
    for (Index h = 0; h < tile.query.shape(0); ++h)
      for (Index i = 0; i < Nq; ++i) {
        const auto distance_to = [&](Index j) { return tile.query_positions[i] - tile.key_positions[j]; };
        const auto count = static_cast<std::size_t>(farthest_from(tile.query_positions[i], tile.key_positions) + 1);
        by_curve.assign(count, S(0));
        for (Index j = 0; j < Nk; ++j)
          if (within(distance_to(j))) by_curve[static_cast<std::size_t>(distance_to(j))] += gradient.logits(h, i, j);
        const Index query = tile.first_query + i;
        for (Index b = 0; b < basis; ++b) {
          const Index row = h * basis + b;
          const S share = dot(w[0].row(row), x.row(query)) + w[1](row);
          const S by_share = dot(by_curve, w[2].row(b).first(count));
          add_scaled(dw[2].row(b), share, by_curve);
          add_dot_gradient(by_share, w[0].row(row), x.row(query), dw[0].row(row), gradient.layer_input.row(query));
          dw[1](row) += by_share;
        }
      }
  }

 private:
  template <class S>
  static void require_among_keys(const ScoreTile<S>& tile) {
    const Index Nq = tile.query_positions.size(), Nk = tile.key_positions.size();
    require(tile.first_query >= 0 && tile.first_query + Nq <= Nk, "relative-projection: the queries ", tile.first_query,
            " .. ", tile.first_query + Nq - 1, " must be among the ", Nk, " keys, whose input they share");
  }

  // The greatest distance that has a bias; -1: none has.
  Index farthest_from(double query, Points keys) const {
    Index farthest = -1;
    for (Index j = 0; j < keys.size(); ++j)
      if (within(query - keys[j])) farthest = std::max(farthest, static_cast<Index>(query - keys[j]));
    return farthest;
  }
  bool within(double distance) const { return distance >= 0 && distance < max_distance; }
};
POSLAB_SCHEME(RelativeProjection)
