// SPDX-License-Identifier: Apache-2.0
// Music Transformer: every head has a vector for each distance into the past, which the query meets beside the key;
// farther back than the table reaches there is nothing.
// Dimension letters: H heads, K head width, M distances with a vector.
#include <algorithm>

#include <poslab/scheme.hpp>

using namespace poslab;

struct MusicTransformer {
  static constexpr Card card{.id = "music-transformer",
                             .title = "Music Transformer relative vectors",
                             .version = "1.0",
                             .paper = "Huang et al. 2018, arXiv:1809.04281",
                             .summary = "A learned vector per head and distance into the past; beyond the table, none.",
                             .formula = "logit = q_i . (k_j + E[M - 1 - (i - j)]) / sqrt(K), E = 0 from distance M on",
                             .used_in = "Music Transformer"};
  std::optional<int> max_distance;
  bool heads_share, per_layer;
  static constexpr std::tuple params{
      integer(&MusicTransformer::max_distance, "max_distance", unset, between(1, 1 << 20),
              "M: distances 0 .. M - 1 have a vector; unset: as many as the trained length")
          .usual({128, 16, 32, 64, 8})
          .in("position"),
      flag(&MusicTransformer::heads_share, "heads_share", false, "one table for all heads; else each has its own"),
      flag(&MusicTransformer::per_layer, "per_layer", true, "every layer has its own vectors; else all share them")};
  // An unset max_distance is the trained length.
  Traits traits() const {
    return Traits().claims(relative | bounded | (max_distance ? length_free : no_claims)).mask(Mask::causal_only);
  }
  Index M = 0;

  void prepare(const Model& m) { M = max_distance ? *max_distance : std::max<Index>(m.train_length, 1); }
  std::vector<Weight> weights(const Model& m) const {
    const Weight table = normal("relative_keys", {heads_share ? 1 : m.H, M, m.K}, 1 / std::sqrt(m.K),
                                "E: row M - 1 - d is the vector of distance d");
    return {per_layer ? table.each_layer() : table};
  }

  template <class S>
  void score(const ScoreTile<S>& tile, Weights<const S> w) const {
    for (Index h = 0; h < tile.query.shape(0); ++h)
      for (Index i = 0; i < tile.query_positions.size(); ++i)
        for (Index j = 0; j < tile.key_positions.size(); ++j) {
          const Index row = row_of(tile.query_positions[i], tile.key_positions[j]);
          if (row < 0) continue;
          tile.logits(h, i, j) += S(tile.scale) * dot(tile.query.row(h, i), w[0].row(heads_share ? 0 : h, row));
        }
  }

  template <class S>
  void score_gradient(const ScoreTile<S>& tile, Weights<const S> w, const ScoreGradient<S>& gradient,
                      Weights<S> dw) const {
    for (Index h = 0; h < tile.query.shape(0); ++h)
      for (Index i = 0; i < tile.query_positions.size(); ++i)
        for (Index j = 0; j < tile.key_positions.size(); ++j) {
          const Index row = row_of(tile.query_positions[i], tile.key_positions[j]), table = heads_share ? 0 : h;
          if (row < 0) continue;
          add_dot_gradient(S(S(tile.scale) * gradient.logits(h, i, j)), tile.query.row(h, i), w[0].row(table, row),
                           gradient.query.row(h, i), dw[0].row(table, row));
        }
  }

 private:
  // -1: no vector
  Index row_of(double query, double key) const {
    const double distance = query - key;
    return distance < 0 || distance >= static_cast<double>(M) ? -1 : M - 1 - static_cast<Index>(distance);
  }
};
POSLAB_SCHEME(MusicTransformer)
