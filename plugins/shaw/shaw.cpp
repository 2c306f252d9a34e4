// SPDX-License-Identifier: Apache-2.0
// Shaw's relative vectors: every clipped offset has a vector that is added to the key, and one that is added to the
// value. Dimension letters: Nq queries, Nk keys, H heads, K head width, R = 2 clip + 1 rows of a table.
#include <algorithm>
#include <array>

#include <poslab/scheme.hpp>

using namespace poslab;

struct Shaw {
  static constexpr Card card{
      .id = "shaw",
      .title = "Shaw relative vectors",
      .version = "1.0",
      .paper = "Shaw et al. 2018, arXiv:1803.02155",
      .summary = "A learned vector per clipped offset, added to keys and to values.",
      .formula =
          "logit = q_i . (k_j + aK[r]) / sqrt(K), out_i = sum_j a_ij (v_j + aV[r]), "
          "r = clip(j - i, -clip, clip)",
      .used_in = "Transformer with relative positions (tensor2tensor), Music Transformer's ancestor"};
  int clip;
  bool value_vectors, per_layer;
  double init_std;
  static constexpr std::tuple params{
      integer(&Shaw::clip, "clip", 16, between(1, 1 << 20), "offsets from here on share a vector, on either side")
          .in("position"),
      flag(&Shaw::value_vectors, "value_vectors", true, "vectors for values, too; else for keys only"),
      flag(&Shaw::per_layer, "per_layer", true,
           "every layer has its own vectors, as in the paper; else all share them"),
      real(&Shaw::init_std, "init_std", 0.02, at_least(0), "standard deviation of the initial vectors")};
  static constexpr Traits traits = Traits().claims(relative | length_free | bounded);

  bool offers(Operation operation) const { return operation == Operation::score || value_vectors; }
  std::vector<Weight> weights(const Model& m) const {
    const auto table = [&](const char* name, const char* sentence) {
      const Weight weight = normal(name, {2 * clip + 1, m.K}, init_std, sentence);
      return per_layer ? weight.each_layer() : weight;
    };
    std::vector<Weight> tables{table("relative_keys", "aK: row r is added to keys at offset r - clip")};
    if (value_vectors) tables.push_back(table("relative_values", "aV: row r is added to values at offset r - clip"));
    return tables;
  }

  // r of every key for one query, clip(key - query) + clip. The first `head` keys share a row, and so do those from
  // `tail` on: long stretches of far keys, whose sums need no look-up.
  struct KeyRows {
    std::vector<std::size_t> r;
    std::size_t head = 0, tail = 0;
  };
  void find_rows(Point query, Points keys, KeyRows& rows) const {
    rows.r.clear();
    for (Index j = 0; j < keys.size(); ++j) {
      const double offset = keys[j] - query, limit = clip;
      rows.r.push_back(static_cast<std::size_t>(std::min(std::max(offset, -limit), limit) + limit));
    }
    rows.head = 0;
    while (rows.head < rows.r.size() && rows.r[rows.head] == rows.r.front()) ++rows.head;
    rows.tail = rows.r.size();
    while (rows.tail > rows.head && rows.r[rows.tail - 1] == rows.r.back()) --rows.tail;
  }

  // Runs body(i, h, r of every key) for every query and head.
  template <class Tile, class Body>
  void for_rows(const Tile& tile, Index H, Body body) const {
    KeyRows rows;
    rows.r.reserve(static_cast<std::size_t>(tile.key_positions.size()));
    for (Index i = 0; i < tile.query_positions.size(); ++i) {
      find_rows(tile.query_positions[i], tile.key_positions, rows);
      for (Index h = 0; h < H; ++h) body(i, h, rows);
    }
  }

  // q_i . aK[r] once for each of the R rows, not for each of the Nk keys.
  template <class S>
  void score(const ScoreTile<S>& tile, Weights<const S> w) const {
    std::vector<S> product(static_cast<std::size_t>(w[0].shape(0)));
    for_rows(tile, tile.logits.shape(0), [&](Index i, Index h, const KeyRows& keys) {
      for (std::size_t row = 0; row < product.size(); ++row)
        product[row] = S(tile.scale) * dot(tile.query.row(h, i), w[0].row(static_cast<Index>(row)));
      add_by_row(product, keys, tile.logits.row(h, i));
    });
  }

  template <class S>
  void score_gradient(const ScoreTile<S>& tile, Weights<const S> w, const ScoreGradient<S>& gradient,
                      Weights<S> dw) const {
    std::vector<S> by_product(static_cast<std::size_t>(w[0].shape(0)));
    for_rows(tile, gradient.logits.shape(0), [&](Index i, Index h, const KeyRows& keys) {
      sum_by_row(gradient.logits.row(h, i), keys, by_product);
      for (std::size_t row = 0; row < by_product.size(); ++row) {
        const S factor = S(tile.scale) * by_product[row];
        add_scaled(gradient.query.row(h, i), factor, w[0].row(static_cast<Index>(row)));
        add_scaled(dw[0].row(static_cast<Index>(row)), factor, tile.query.row(h, i));
      }
    });
  }

  // sum_j a_ij aV[r]: the attention that each row gets, times that row.
  template <class S>
  void mix(const MixTile<S>& tile, Weights<const S> w) const {
    std::vector<S> attention(static_cast<std::size_t>(w[1].shape(0)));
    for_rows(tile, tile.output.shape(0), [&](Index i, Index h, const KeyRows& keys) {
      sum_by_row(tile.attention.row(h, i), keys, attention);
      for (std::size_t row = 0; row < attention.size(); ++row)
        add_scaled(tile.output.row(h, i), attention[row], w[1].row(static_cast<Index>(row)));
    });
  }

  template <class S>
  void mix_gradient(const MixTile<S>& tile, Weights<const S> w, const MixGradient<S>& gradient, Weights<S> dw) const {
    std::vector<S> attention(static_cast<std::size_t>(w[1].shape(0))), by_attention(attention.size());
    for_rows(tile, gradient.output.shape(0), [&](Index i, Index h, const KeyRows& keys) {
      sum_by_row(tile.attention.row(h, i), keys, attention);
      for (std::size_t row = 0; row < attention.size(); ++row) {
        by_attention[row] = dot(gradient.output.row(h, i), w[1].row(static_cast<Index>(row)));
        add_scaled(dw[1].row(static_cast<Index>(row)), attention[row], gradient.output.row(h, i));
      }
      add_by_row(by_attention, keys, gradient.attention.row(h, i));
    });
  }

 private:
  // numbers[j] += of_row[r_j]
  template <class S>
  static void add_by_row(const std::vector<S>& of_row, const KeyRows& keys, const auto& numbers) {
    if (keys.r.empty()) return;
    const S first = of_row[keys.r.front()], last = of_row[keys.r.back()];
    for (std::size_t j = 0; j < keys.head; ++j) numbers[j] += first;
    for (std::size_t j = keys.head; j < keys.tail; ++j) numbers[j] += of_row[keys.r[j]];
    for (std::size_t j = keys.tail; j < keys.r.size(); ++j) numbers[j] += last;
  }

  // sums[row] = sum of numbers[j] over the keys j with that row
  template <class S>
  static void sum_by_row(const auto& numbers, const KeyRows& keys, std::vector<S>& sums) {
    std::fill(sums.begin(), sums.end(), S(0));
    if (keys.r.empty()) return;
    sums[keys.r.front()] += sum<S>(numbers, 0, keys.head);
    for (std::size_t j = keys.head; j < keys.tail; ++j) sums[keys.r[j]] += numbers[j];
    sums[keys.r.back()] += sum<S>(numbers, keys.tail, keys.r.size());
  }

  // numbers[first] + ... + numbers[end - 1], in eight strands
  template <class S>
  static S sum(const auto& numbers, std::size_t first, std::size_t end) {
    constexpr std::size_t strands = 8;
    std::array<S, strands> sums{};
    std::size_t j = first;
    for (; j + strands <= end; j += strands)
      for (std::size_t strand = 0; strand < strands; ++strand) sums[strand] += numbers[j + strand];
    for (; j < end; ++j) sums[0] += numbers[j];
    S total = S(0);
    for (const S& strand : sums) total += strand;
    return total;
  }
};
POSLAB_SCHEME(Shaw)
