// SPDX-License-Identifier: Apache-2.0
// FoX, the forgetting attention: every token has a forget gate per head; what lies before it is remembered by that much
// less. In the logits: the sum of the logarithms of the gates between key and query. Without a causal mask, a second
// set of gates does the same for what lies after the query. Dimension letters: D model width, H heads, Nk keys.
#include <poslab/scheme.hpp>
#include <poslab/sdk/activation.hpp>
#include <poslab/sdk/running_sum.hpp>

using namespace poslab;

struct Fox {
  static constexpr Card card{
      .id = "fox",
      .title = "Forgetting attention (FoX)",
      .version = "1.1",
      .paper = "Lin et al. 2025, arXiv:2503.02130",
      .summary = "Logits lose the logarithms of forget gates between key and query, which tokens set themselves.",
      .formula = "logit = q_i . k_j / sqrt(K) + sum over l = j + 1 .. i of ln sigmoid(w . x_l + b)",
      .used_in = "Forgetting Transformer",
      .family = Family::contextual};
  double initial_bias;
  bool bidirectional;
  static constexpr std::tuple params{
      real(&Fox::initial_bias, "initial_bias", 0, any_number,
           "b at the start: 0 in flash-linear-attention, 5 in x-transformers, where gates begin near 0.993"),
      flag(&Fox::bidirectional, "bidirectional", false,
           "without a causal mask: a second set of gates, for keys after the query")};

  Traits traits() const {
    return Traits().claims(length_free).mask(bidirectional ? Mask::bidirectional_only : Mask::causal_only);
  }

  // With two sets of gates, those of the second come after those of the first.
  std::vector<Weight> weights(const Model& m) const {
    const Index gates = bidirectional ? 2 * m.H : m.H;
    return {normal("gate", {gates, m.D}, 0.02, "w: from the layer's input to the gate of a head").each_layer(),
            constant("gate_bias", {gates}, initial_bias, "b: a great one forgets nothing").each_layer()};
  }

  template <class S>
  void score(const ScoreTile<S>& tile, Weights<const S> w) const {
    const Index H = tile.query.shape(0);
    for (Index h = 0; h < H; ++h) {
      const std::vector<Sum<S>> before = forgotten(tile, w, h);
      const std::vector<Sum<S>> after = bidirectional ? forgotten(tile, w, H + h) : std::vector<Sum<S>>();
      for (Index i = 0; i < tile.query_positions.size(); ++i) {
        const Index seen = keys_seen(tile, i);
        for (Index j = 0; j < tile.key_positions.size(); ++j)
          tile.logits(h, i, j) += S(is_after(seen, j) ? between(after, j + 1, seen) : between(before, seen, j + 1));
      }
    }
  }

  template <class S>
  void score_gradient(const ScoreTile<S>& tile, Weights<const S> w, const ScoreGradient<S>& gradient,
                      Weights<S> dw) const {
    const Index Nk = tile.key_positions.size(), H = tile.query.shape(0);
    for (Index h = 0; h < H; ++h) {
      std::vector<double> by_before(static_cast<std::size_t>(Nk + 1)), by_after = by_before;
      for (Index i = 0; i < tile.query_positions.size(); ++i) {
        const Index seen = keys_seen(tile, i);
        for (Index j = 0; j < Nk; ++j) {
          const bool after = is_after(seen, j);
          std::vector<double>& by = after ? by_after : by_before;
          by[static_cast<std::size_t>(after ? j + 1 : seen)] += gradient.logits(h, i, j);
          by[static_cast<std::size_t>(after ? seen : j + 1)] -= gradient.logits(h, i, j);
        }
      }
      add_gate_gradient(tile, w, h, by_before, gradient, dw);
      if (bidirectional) add_gate_gradient(tile, w, H + h, by_after, gradient, dw);
    }
  }

 private:
  // Whether the second set of gates is for this key: it lies behind those that a causal mask would show.
  bool is_after(Index seen, Index key) const { return bidirectional && key >= seen; }

  template <class S>
  static S between(const std::vector<S>& sums, Index end, Index begin) {
    return sums[static_cast<std::size_t>(end)] - sums[static_cast<std::size_t>(begin)];
  }

  // w . x_j + b: how far token j opens a gate.
  template <class S>
  static Sum<S> opening(const ScoreTile<S>& tile, Weights<const S> w, Index gate, Index j) {
    return Sum<S>(dot(w[0].row(gate), tile.layer_input().row(j)) + w[1](gate));
  }

  // [n]: the sum of ln f of the keys 0 .. n - 1.
  template <class S>
  static std::vector<Sum<S>> forgotten(const ScoreTile<S>& tile, Weights<const S> w, Index gate) {
    return running_sums<S>(tile.key_positions.size(), [&](Index j) { return log_sigmoid(opening(tile, w, gate, j)); });
  }

  template <class S>
  static void add_gate_gradient(const ScoreTile<S>& tile, Weights<const S> w, Index gate,
                                const std::vector<double>& by_sums, const ScoreGradient<S>& gradient, Weights<S> dw) {
    const std::vector<double> by_gate = running_sums_gradient(by_sums);
    for (Index j = 0; j < tile.key_positions.size(); ++j) {  // (ln sigmoid)' (z) = sigmoid(-z)
      const S by_z = S(by_gate[static_cast<std::size_t>(j)] * sigmoid(-opening(tile, w, gate, j)));
      add_dot_gradient(by_z, w[0].row(gate), tile.layer_input().row(j), dw[0].row(gate), gradient.layer_input.row(j));
      dw[1](gate) += by_z;
    }
  }
};
POSLAB_SCHEME(Fox)
