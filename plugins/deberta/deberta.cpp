// SPDX-License-Identifier: Apache-2.0
// DeBERTa's disentangled attention: content meets a projected embedding of the bucketed offset, on the query's side and
// on the key's.
// Dimension letters: D model width, H heads, K head width, F terms of the logit.
#include <algorithm>

#include <poslab/scheme.hpp>
#include <poslab/sdk/many_rows.hpp>

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
          .usual({128, 16, 32, 64, 8})
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
      const Meetings<S> meetings{tile, occurring, term};
      for (Index n = 0; n < meetings.rows(); ++n)
        for_dots(
            meetings.row(h, n), meetings.others(), [&](Index other) { return meetings.vector(projected, n, other); },
            [&](Index other, const S& product) {
              const auto [i, j] = meetings.pair(n, other);
              tile.logits(h, i, j) += S(tile.scale) * product;
            });
    });
  }

  template <class S>
  void score_gradient(const ScoreTile<S>& tile, Weights<const S> w, const ScoreGradient<S>& gradient,
                      Weights<S> dw) const {
    for_terms(tile, w, [&](const OccurringRows& occurring, const Term& term, const std::vector<S>& projected, Index h) {
      const auto K = static_cast<std::size_t>(tile.query.shape(2));
      const Meetings<S> meetings{tile, occurring, term};
      std::vector<S> by_projected(projected.size());
      for (Index n = 0; n < meetings.rows(); ++n) {
        const auto by_product = [&](Index other) {
          const auto [i, j] = meetings.pair(n, other);
          return S(tile.scale) * gradient.logits(h, i, j);
        };
        add_scaled_rows((term.of_query ? gradient.query : gradient.key).row(h, n), meetings.others(), by_product,
                        [&](Index other) { return meetings.vector(projected, n, other); });
        for (Index other = 0; other < meetings.others(); ++other)
          if (by_product(other) != 0)  // masked: it is 0
            add_scaled(meetings.vector(by_projected, n, other), by_product(other), meetings.row(h, n));
      }
      const Tensor<const S>&embedding = w[0], &weight = w[term.weight];
      const auto channel = [&](Index k) { return h * static_cast<Index>(K) + k; };
      const auto by = [&](std::size_t r, Index k) { return by_projected[r * K + static_cast<std::size_t>(k)]; };
      for (std::size_t r = 0; r < occurring.rows.size(); ++r)
        add_scaled_rows(
            dw[0].row(occurring.rows[r]), static_cast<Index>(K), [&](Index k) { return by(r, k); },
            [&](Index k) { return weight.row(channel(k)); });
      for (Index k = 0; k < static_cast<Index>(K); ++k)
        add_scaled_rows(
            dw[term.weight].row(channel(k)), static_cast<Index>(occurring.rows.size()),
            [&](Index r) { return by(static_cast<std::size_t>(r), k); },
            [&](Index r) { return embedding.row(occurring.rows[static_cast<std::size_t>(r)]); });
    });
  }

 private:
  // Who meets the offset, and which weight projects it for that.
  struct Term {
    bool of_query;
    std::size_t weight;
  };

  // The rows that meet the offsets, queries or keys, each at all its pairs.
  template <class S>
  struct Meetings {
    const ScoreTile<S>& tile;
    const OccurringRows& occurring;
    const Term& term;

    Index rows() const { return (term.of_query ? tile.query_positions : tile.key_positions).size(); }
    Index others() const { return (term.of_query ? tile.key_positions : tile.query_positions).size(); }
    std::pair<Index, Index> pair(Index n, Index other) const {
      return term.of_query ? std::pair(n, other) : std::pair(other, n);
    }
    auto row(Index h, Index n) const { return (term.of_query ? tile.query : tile.key).row(h, n); }
    // The one that is met, of `vectors` [rows, K].
    template <class Vectors>
    auto vector(Vectors& vectors, Index n, Index other) const {
      const auto [i, j] = pair(n, other);
      const auto K = static_cast<std::size_t>(tile.query.shape(2));
      return Row(std::span(vectors).subspan(occurring(i, j) * K, K));
    }
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
          for_dots(
              w[0].row(row), K, [&](Index k) { return w[term.weight].row(h * K + k); },
              [&](Index, const S& product) { projected.push_back(product); });
        body(occurring, term, projected, h);
      }
  }
};
POSLAB_SCHEME(Deberta)
