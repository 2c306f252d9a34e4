// SPDX-License-Identifier: Apache-2.0
// FoX, the forgetting attention: every token has a forget gate per head; what lies before it is remembered by that much
// less. In the logits: the sum of the logarithms of the gates between key and query.
// Dimension letters: D model width, H heads, Nk keys.
#include <poslab/scheme.hpp>
#include <poslab/sdk/activation.hpp>
#include <poslab/sdk/running_sum.hpp>

using namespace poslab;

struct Fox {
  static constexpr Card card{
      .id = "fox",
      .title = "Forgetting attention (FoX)",
      .version = "1.0",
      .paper = "Lin et al. 2025, arXiv:2503.02130",
      .summary = "Logits lose the logarithms of forget gates between key and query, which tokens set themselves.",
      .formula = "logit = q_i . k_j / sqrt(K) + sum over l = j + 1 .. i of ln sigmoid(w . x_l + b)",
      .used_in = "Forgetting Transformer",
      .family = Family::contextual};
  double initial_bias;
  static constexpr std::tuple params{
      real(&Fox::initial_bias, "initial_bias", 0, any_number,
           "b at the start: 0 in flash-linear-attention, 5 in x-transformers, where gates begin near 0.993")};
  static constexpr Traits traits = Traits().claims(length_free).mask(Mask::causal_only);

  std::vector<Weight> weights(const Model& m) const {
    const double bound = 1 / std::sqrt(m.D);
    return {uniform("gate", {m.H, m.D}, -bound, bound, "w: from the layer's input to the gate of a head").each_layer(),
            constant("gate_bias", {m.H}, initial_bias, "b: a great one forgets nothing").each_layer()};
  }

  template <class S>
  void score(const ScoreTile<S>& tile, Weights<const S> w) const {
    const Index Nk = tile.key_positions.size();
    for (Index h = 0; h < tile.query.shape(0); ++h) {
      const std::vector<Sum<S>> forgotten =
          running_sums<S>(Nk, [&](Index j) { return log_sigmoid(opening(tile, w, h, j)); });
      for (Index i = 0; i < tile.query_positions.size(); ++i) {
        const Sum<S> at_query = forgotten[static_cast<std::size_t>(keys_seen(tile, i))];
        for (Index j = 0; j < Nk; ++j) tile.logits(h, i, j) += S(at_query - forgotten[static_cast<std::size_t>(j + 1)]);
      }
    }
  }

  template <class S>
  void score_gradient(const ScoreTile<S>& tile, Weights<const S> w, const ScoreGradient<S>& gradient,
                      Weights<S> dw) const {
    const Index Nk = tile.key_positions.size();
    for (Index h = 0; h < tile.query.shape(0); ++h) {
      std::vector<double> by_forgotten(static_cast<std::size_t>(Nk + 1));
      for (Index i = 0; i < tile.query_positions.size(); ++i) {
        double by_query = 0;
        for (Index j = 0; j < Nk; ++j) {
          by_query += gradient.logits(h, i, j);
          by_forgotten[static_cast<std::size_t>(j + 1)] -= gradient.logits(h, i, j);
        }
        by_forgotten[static_cast<std::size_t>(keys_seen(tile, i))] += by_query;
      }
      const std::vector<double> by_gate = running_sums_gradient(by_forgotten);
      for (Index j = 0; j < Nk; ++j) {  // (ln sigmoid)' (z) = sigmoid(-z)
        const S by_z = S(by_gate[static_cast<std::size_t>(j)] * sigmoid(-opening(tile, w, h, j)));
        add_dot_gradient(by_z, w[0].row(h), tile.layer_input().row(j), dw[0].row(h), gradient.layer_input.row(j));
        dw[1](h) += by_z;
      }
    }
  }

 private:
  // w . x_j + b: how far token j opens the gate of a head.
  template <class S>
  static Sum<S> opening(const ScoreTile<S>& tile, Weights<const S> w, Index h, Index j) {
    return Sum<S>(dot(w[0].row(h), tile.layer_input().row(j)) + w[1](h));
  }
};
POSLAB_SCHEME(Fox)
