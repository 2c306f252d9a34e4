// SPDX-License-Identifier: Apache-2.0
// DeBERTa's disentangled attention: content meets a projected embedding of the bucketed offset, on the query's side and
// on the key's.
// Dimension letters: D model width, H heads, K head width, F terms of the logit.
#include <algorithm>

#include <poslab/scheme.hpp>

#include "occurring_rows.hpp"

using namespace poslab;

struct Deberta {
  static constexpr Card card{
      .id = "deberta",
      .title = "DeBERTa disentangled attention",
      .version = "1.0",
      .paper = "He et al. 2021, arXiv:2006.03654",
      .summary = "Queries and keys each meet a projected embedding of the offset, in logarithmic buckets.",
      .formula =
          "logit = (q_i . k_j + q_i . W_k P[c] + k_j . W_q P[c]) / sqrt(F K), c = clip(bucket(i - j) + span, 0, 2 "
          "span - 1), F = 1 + c2p + p2c",
      .used_in = "DeBERTa, DeBERTa-v2, DeBERTa-v3, mDeBERTa"};
  std::optional<int> position_buckets, span;
  int max_relative_positions;
  bool content_to_position, position_to_content;
  double init_std;
  static constexpr std::tuple params{
      integer(&Deberta::position_buckets, "position_buckets", 256, between(2, 1 << 20),
              "b: offsets up to b / 2 have a bucket of their own, farther ones share; unset: every offset has its own"),
      integer(&Deberta::max_relative_positions, "max_relative_positions", 512, between(1, 1 << 20),
              "the offset at which the buckets end; without buckets the offsets themselves end there")
          .in("position"),
      integer(&Deberta::span, "span", unset, between(1, 1 << 21),
              "rows of the table on either side; unset: position_buckets, or max_relative_positions without them"),
      flag(&Deberta::content_to_position, "content_to_position", true, "c2p: the query meets the offset"),
      flag(&Deberta::position_to_content, "position_to_content", true, "p2c: the key meets the offset"),
      real(&Deberta::init_std, "init_std", 0.02, at_least(0), "standard deviation of all initial weights")};
  Index rows_a_side = 0;

  void prepare() {
    require(content_to_position || position_to_content,
            "deberta needs content_to_position or position_to_content: without both no position enters");
    require(!position_buckets || max_relative_positions > *position_buckets / 2 + 1,
            "deberta: max_relative_positions must be greater than position_buckets / 2 + 1 = ",
            position_buckets.value_or(0) / 2 + 1, ", not ", max_relative_positions,
            ": there must be distances left to share buckets");
    rows_a_side = span.value_or(position_buckets.value_or(max_relative_positions));
  }
  Traits traits(const Model& m) const {
    return Traits()
        .claims(relative | length_free | bounded)
        .logit_scale(1 / std::sqrt(static_cast<double>(m.K) * (1 + content_to_position + position_to_content)));
  }
  std::vector<Weight> weights(const Model& m) const {
    std::vector<Weight> result{
        normal("relative_embedding", {2 * rows_a_side, m.D}, init_std, "P: the embedding of every bucket")};
    if (content_to_position)
      result.push_back(normal("key_projection", {m.D, m.D}, init_std, "W_k [H K, D]: what queries meet").each_layer());
    if (position_to_content)
      result.push_back(normal("query_projection", {m.D, m.D}, init_std, "W_q [H K, D]: what keys meet").each_layer());
    return result;
  }

  // behind = query - key. Distances up to b / 2 are their own bucket; the others go by their logarithm, rounded up.
  double bucket(double behind) const {
    if (!position_buckets) return behind;
    const int half = *position_buckets / 2;
    const double middle = half, distance = std::abs(behind);
    if (distance <= middle) return behind;
    const double share = std::log(distance / middle) / std::log((max_relative_positions - 1) / middle);
    return std::copysign(std::ceil(share * (middle - 1)) + middle, behind);
  }
  Index row_of(double behind) const {
    const auto side = static_cast<double>(rows_a_side);
    return static_cast<Index>(std::min(std::max(bucket(behind) + side, 0.0), 2 * side - 1));
  }

  template <class S>
  void score(const ScoreTile<S>& tile, Weights<const S> w) const {
    for_terms(tile, w, [&](const OccurringRows& occurring, const Term& term, const std::vector<S>& projected, Index h) {
      const auto K = static_cast<std::size_t>(tile.query.shape(2));
      for (Index i = 0; i < tile.query_positions.size(); ++i)
        for (Index j = 0; j < tile.key_positions.size(); ++j) {
          const Row<const S> vector(projected.data() + occurring(i, j) * K, K);
          tile.logits(h, i, j) +=
              S(tile.scale) * dot(term.of_query ? tile.query.row(h, i) : tile.key.row(h, j), vector);
        }
    });
  }

  template <class S>
  void score_gradient(const ScoreTile<S>& tile, Weights<const S> w, const ScoreGradient<S>& gradient,
                      Weights<S> dw) const {
    for_terms(tile, w, [&](const OccurringRows& occurring, const Term& term, const std::vector<S>& projected, Index h) {
      const auto K = static_cast<std::size_t>(tile.query.shape(2));
      std::vector<S> by_projected(projected.size());
      for (Index i = 0; i < tile.query_positions.size(); ++i)
        for (Index j = 0; j < tile.key_positions.size(); ++j) {
          const S by_product = S(tile.scale) * gradient.logits(h, i, j);
          if (by_product == 0) continue;  // masked
          const std::size_t first = occurring(i, j) * K;
          add_scaled(term.of_query ? gradient.query.row(h, i) : gradient.key.row(h, j), by_product,
                     Row<const S>(projected.data() + first, K));
          add_scaled(Row<S>(by_projected.data() + first, K), by_product,
                     term.of_query ? tile.query.row(h, i) : tile.key.row(h, j));
        }
      for (std::size_t r = 0; r < occurring.rows.size(); ++r)
        for (std::size_t k = 0; k < K; ++k) {
          const Index channel = h * static_cast<Index>(K) + static_cast<Index>(k);
          add_scaled(dw[0].row(occurring.rows[r]), by_projected[r * K + k], w[term.weight].row(channel));
          add_scaled(dw[term.weight].row(channel), by_projected[r * K + k], w[0].row(occurring.rows[r]));
        }
    });
  }

 private:
  // Who meets the offset, and which weight projects it for that.
  struct Term {
    bool of_query;
    std::size_t weight;
  };

  // Runs body(occurring, term, W P [rows, K], h) for each term and head.
  template <class S, class Body>
  void for_terms(const ScoreTile<S>& tile, Weights<const S> w, Body body) const {
    const OccurringRows occurring(tile.query_positions, tile.key_positions, 2 * rows_a_side,
                                  [&](double behind) { return row_of(behind); });
    std::vector<Term> terms;
    if (content_to_position) terms.push_back({true, 1});
    if (position_to_content) terms.push_back({false, terms.size() + 1});
    const Index K = tile.query.shape(2);
    std::vector<S> projected;
    for (const Term& term : terms)
      for (Index h = 0; h < tile.query.shape(0); ++h) {
        projected.clear();
        for (const Index row : occurring.rows)
          for (Index k = 0; k < K; ++k) projected.push_back(dot(w[0].row(row), w[term.weight].row(h * K + k)));
        body(occurring, term, projected, h);
      }
  }
};
POSLAB_SCHEME(Deberta)
