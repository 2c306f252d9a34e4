// SPDX-License-Identifier: Apache-2.0
// TUPE: positions meet positions in projections of their own, apart from the words; the first token may be set apart.
// Dimension letters: D model width, H heads, K head width, Nq queries, Nk keys.
#include <cmath>
#include <optional>
#include <vector>

#include <poslab/scheme.hpp>

#include <poslab/sdk/buckets.hpp>
#include "projected.hpp"

using namespace poslab;

struct Tupe {
  static constexpr Card card{
      .id = "tupe",
      .title = "Transformer with untied positional encoding",
      .version = "1.0",
      .paper = "Ke et al. 2021, arXiv:2006.15595",
      .summary = "Products of projected position vectors are added to the logits; the first token is treated apart.",
      .formula = "logit = (q_i . k_j + (W_q p_i) . (W_k p_j)) / sqrt(2 K), p = LayerNorm(table)",
      .used_in = "TUPE-A, TUPE-R; with changes Graphormer",
      .family = Family::bias};
  std::optional<int> max_length, rel_pos_bins;
  int max_rel_pos;
  bool untie_cls;
  double attn_scale_factor, init_std;
  static constexpr std::tuple params{
      integer(&Tupe::max_length, "max_length", unset, between(1, 65536),
              "positions that have a row; unset: the length that the model is trained at")
          .in("position"),
      flag(&Tupe::untie_cls, "untie_cls", true, "position 0 is a [CLS] token: one bias to it and one from it"),
      real(&Tupe::attn_scale_factor, "attn_scale_factor", 2.0, above(0), "logits are divided by sqrt(this times K)"),
      integer(&Tupe::rel_pos_bins, "rel_pos_bins", unset, between(4, 4096),
              "TUPE-R: T5's buckets beside it, bidirectional, even; unset: TUPE-A, none"),
      integer(&Tupe::max_rel_pos, "max_rel_pos", 128, between(2, 1048576),
              "TUPE-R: distances from here on share a bucket")
          .in("position"),
      real(&Tupe::init_std, "init_std", 0.02, at_least(0), "standard deviation of the initial weights")};
  Traits traits() const {
    return Traits()
        .claims(content_free | bounded | (max_length ? length_free : no_claims))
        .min_position(0)
        .max_position(length - 1)
        .logit_scale(scale);
  }

  double length, scale;
  Buckets bucket;

  void prepare(const Model& m) {
    length = max_length ? *max_length : static_cast<double>(m.train_length);
    require(length >= 1, "tupe: max_length is unset, and the model's train_length is ", m.train_length);
    scale = 1 / std::sqrt(attn_scale_factor * m.K);
    if (rel_pos_bins) bucket = Buckets("tupe", *rel_pos_bins, max_rel_pos, true);
  }

  std::vector<Weight> weights(const Model& m) const {
    const Index rows = static_cast<Index>(length) + untie_cls;
    std::vector<Weight> all{
        normal("table", {rows, m.D}, init_std, "untie_cls: row 0 is from [CLS], 1 to it and its own"),
        constant("norm_weight", {m.D}, 1, "of the LayerNorm"),
        constant("norm_bias", {m.D}, 0, "of the LayerNorm"),
        normal("query_projection", {m.D, m.D}, init_std, "W_q [H K, D]"),
        constant("query_bias", {m.D}, 0),
        normal("key_projection", {m.D, m.D}, init_std, "W_k [H K, D]"),
        constant("key_bias", {m.D}, 0)};
    if (rel_pos_bins)
      all.push_back(normal("relative_table", {*rel_pos_bins + 1, m.H}, init_std, "TUPE-R: a head's bias in a bucket"));
    return all;
  }

  template <class S>
  void score(const ScoreTile<S>& tile, Weights<const S> w) const {
    const Meeting<S> meeting(*this, tile, w);
    const Index H = tile.logits.shape(0), K = tile.query.shape(2);
    meeting.for_pairs(tile, [&](Index i, Index j, std::size_t query, std::size_t key, Index row) {
      for (Index h = 0; h < H; ++h) {
        tile.logits(h, i, j) += S(scale) * dot(meeting.queries.row(query, h, K), meeting.keys.row(key, h, K));
        if (rel_pos_bins) tile.logits(h, i, j) += w[7](row, h);
      }
    });
  }

  template <class S>
  void score_gradient(const ScoreTile<S>& tile, Weights<const S> w, const ScoreGradient<S>& gradient,
                      Weights<S> dw) const {
    const Meeting<S> meeting(*this, tile, w);
    const Index H = gradient.logits.shape(0), K = tile.query.shape(2), D = H * K;
    std::vector<S> by_queries(meeting.query_rows.size() * static_cast<std::size_t>(D)),
        by_keys(meeting.key_rows.size() * static_cast<std::size_t>(D));
    const auto part = [&](std::vector<S>& rows, std::size_t n, Index h) {
      return Row<S>(rows.data() + static_cast<Index>(n) * D + h * K, static_cast<std::size_t>(K));
    };
    meeting.for_pairs(tile, [&](Index i, Index j, std::size_t query, std::size_t key, Index row) {
      for (Index h = 0; h < H; ++h) {
        const S by_product = S(scale) * gradient.logits(h, i, j);
        add_scaled(part(by_queries, query, h), by_product, meeting.keys.row(key, h, K));
        add_scaled(part(by_keys, key, h), by_product, meeting.queries.row(query, h, K));
        if (rel_pos_bins) dw[7](row, h) += gradient.logits(h, i, j);
      }
    });
    meeting.queries.add_gradient(by_queries, of_queries<const S>(w), of_queries<S>(dw));
    meeting.keys.add_gradient(by_keys, of_keys<const S>(w), of_keys<S>(dw));
  }

 private:
  template <class S>
  static ProjectionArrays<S> of_queries(const Weights<S>& w) {
    return {w[0], w[1], w[2], w[3], w[4]};
  }
  template <class S>
  static ProjectionArrays<S> of_keys(const Weights<S>& w) {
    return {w[0], w[1], w[2], w[5], w[6]};
  }
  bool is_cls(double position) const { return untie_cls && position == 0; }

  // The projected rows of a tile, and which of them meet at a pair. With [CLS] apart, a query at it is row 0 against
  // row 0, and another query against it row 1 against row 1: queries end with a row 1 for that, and keys with a row 0.
  template <class S>
  struct Meeting {
    Meeting(const Tupe& scheme, const ScoreTile<S>& tile, Weights<const S> w)
        : tupe(scheme),
          query_rows(rows_of(tile.query_positions, 0, 1)),
          key_rows(rows_of(tile.key_positions, 1, 0)),
          queries(query_rows, of_queries<const S>(w)),
          keys(key_rows, of_keys<const S>(w)) {}

    std::vector<Index> rows_of(Points positions, Index of_cls, Index last) const {
      std::vector<Index> rows;
      for (Index n = 0; n < positions.size(); ++n)
        rows.push_back(tupe.is_cls(positions[n]) ? of_cls : static_cast<Index>(positions[n]) + tupe.untie_cls);
      if (tupe.untie_cls) rows.push_back(last);
      return rows;
    }

    // use(i, j, query row, key row, row of the relative table) for every pair.
    template <class Use>
    void for_pairs(const ScoreTile<S>& tile, Use use) const {
      const bool relative = tupe.rel_pos_bins.has_value();
      for (Index i = 0; i < tile.query_positions.size(); ++i)
        for (Index j = 0; j < tile.key_positions.size(); ++j) {
          const double query = tile.query_positions[i], key = tile.key_positions[j];
          const bool from_cls = tupe.is_cls(query), to_cls = !from_cls && tupe.is_cls(key);
          Index row = 0;
          if (relative)
            row = from_cls ? *tupe.rel_pos_bins / 2 : to_cls ? *tupe.rel_pos_bins : tupe.bucket(key - query);
          use(i, j, to_cls ? query_rows.size() - 1 : static_cast<std::size_t>(i),
              from_cls ? key_rows.size() - 1 : static_cast<std::size_t>(j), row);
        }
    }

    const Tupe& tupe;
    std::vector<Index> query_rows, key_rows;
    Projected<S> queries, keys;
  };
};
POSLAB_SCHEME(Tupe)
