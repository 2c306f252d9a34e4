// SPDX-License-Identifier: Apache-2.0
// BERT's relative embeddings: a vector for every offset that two of its positions can have, which the query meets, and
// in the other variant the key as well. Nothing is clipped: there are as many rows as offsets. Dimension letters: H
// heads, K head width, M positions, 2 M - 1 rows.
#include <algorithm>

#include <poslab/scheme.hpp>

using namespace poslab;

struct BertRelative {
  static constexpr Card card{
      .id = "bert-relative",
      .title = "BERT relative embeddings",
      .version = "1.0",
      .paper = "Huang et al. 2020, arXiv:2009.13658",
      .summary = "A learned vector per offset, met by the query, or by query and key; positions end with the table.",
      .formula = "logit = (q_i . k_j + q_i . E[i - j] [+ k_j . E[i - j]]) / sqrt(K)",
      .used_in = "BERT with position_embedding_type relative_key or relative_key_query"};
  enum class Form { key, key_query };
  static constexpr const char* forms[] = {"key", "key-query"};
  Form form;
  std::optional<int> max_length;
  double init_std;
  bool per_layer;
  static constexpr std::tuple params{
      choice(&BertRelative::form, "form", forms, "who meets the offset's vector: the query, or the query and the key"),
      integer(&BertRelative::max_length, "max_length", unset, between(1, 1 << 20),
              "M: positions 0 .. M - 1 can be served; unset: the trained length; BERT has 512")
          .in("position"),
      real(&BertRelative::init_std, "init_std", 0.02, at_least(0), "standard deviation of the initial vectors"),
      flag(&BertRelative::per_layer, "per_layer", true, "every layer has its own vectors; else all share them")};
  Index M = 0;
  // An unset max_length is the trained length. Two positions within 0 .. M - 1 are never more than M - 1 apart.
  Traits traits() const {
    return Traits()
        .claims(relative | bounded | (max_length ? length_free : no_claims))
        .min_position(0)
        .max_position(static_cast<double>(M - 1));
  }

  void prepare(const Model& m) { M = max_length ? *max_length : std::max<Index>(m.train_length, 1); }
  std::vector<Weight> weights(const Model& m) const {
    const Weight table =
        normal("distance_embedding", {2 * M - 1, m.K}, init_std, "E: row i - j + M - 1 is the vector of offset i - j");
    return {per_layer ? table.each_layer() : table};
  }

  template <class S>
  void score(const ScoreTile<S>& tile, Weights<const S> w) const {
    for (Index h = 0; h < tile.query.shape(0); ++h)
      for (Index i = 0; i < tile.query_positions.size(); ++i)
        for (Index j = 0; j < tile.key_positions.size(); ++j) {
          const auto vector = w[0].row(row_of(tile.query_positions[i], tile.key_positions[j]));
          S met = dot(tile.query.row(h, i), vector);
          if (form == Form::key_query) met += dot(tile.key.row(h, j), vector);
          tile.logits(h, i, j) += S(tile.scale) * met;
        }
  }

  template <class S>
  void score_gradient(const ScoreTile<S>& tile, Weights<const S> w, const ScoreGradient<S>& gradient,
                      Weights<S> dw) const {
    for (Index h = 0; h < tile.query.shape(0); ++h)
      for (Index i = 0; i < tile.query_positions.size(); ++i)
        for (Index j = 0; j < tile.key_positions.size(); ++j) {
          const S by_met = S(tile.scale) * gradient.logits(h, i, j);
          if (by_met == 0) continue;  // masked
          const Index row = row_of(tile.query_positions[i], tile.key_positions[j]);
          add_dot_gradient(by_met, tile.query.row(h, i), w[0].row(row), gradient.query.row(h, i), dw[0].row(row));
          if (form == Form::key_query)
            add_dot_gradient(by_met, tile.key.row(h, j), w[0].row(row), gradient.key.row(h, j), dw[0].row(row));
        }
  }

 private:
  Index row_of(double query, double key) const { return static_cast<Index>(query - key) + M - 1; }
};
POSLAB_SCHEME(BertRelative)
