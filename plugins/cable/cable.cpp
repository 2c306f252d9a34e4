// SPDX-License-Identifier: Apache-2.0
// CABLE: every token says per head how far it stretches the way across it; logits lose the length of the way from the
// key to the query. ALiBi with slopes that the content chooses.
// Dimension letters: D model width, H heads, Nk keys.
#include <poslab/scheme.hpp>
#include <poslab/sdk/activation.hpp>
#include <poslab/sdk/running_sum.hpp>

using namespace poslab;

struct Cable {
  static constexpr Card card{
      .id = "cable",
      .title = "Context-aware biases (CABLE)",
      .version = "1.0",
      .paper = "Veisi et al. 2025, arXiv:2503.08067",
      .summary = "Logits lose the sum of what every token between key and query takes off, as its content says.",
      .formula = "logit = q_i . k_j / sqrt(K) - sum over l = j + 1 .. i of softplus(w . x_l + c)",
      .used_in = "",
      .family = Family::contextual};
  bool scaled;
  double init_std;
  static constexpr std::tuple params{
      flag(&Cable::scaled, "scaled", true, "the usual 1 / sqrt(K) on q.k; the authors' code has none in effect"),
      real(&Cable::init_std, "init_std", 0.02, at_least(0), "standard deviation of the initial weights w")};
  Traits traits() const { return Traits().claims(length_free).mask(Mask::causal_only).logit_scale(scaled ? 0 : 1); }

  std::vector<Weight> weights(const Model& m) const {
    return {normal("stretch", {m.H, m.D}, init_std, "w: from the layer's input to a head's step").each_layer(),
            constant("stretch_bias", {m.H}, 0, "c: at 0 a step begins near ln 2").each_layer()};
  }

  template <class S>
  void score(const ScoreTile<S>& tile, Weights<const S> w) const {
    const Index Nk = tile.key_positions.size();
    for (Index h = 0; h < tile.query.shape(0); ++h) {
      const std::vector<Sum<S>> way = running_sums<S>(Nk, [&](Index j) { return softplus(stretch(tile, w, h, j)); });
      for (Index i = 0; i < tile.query_positions.size(); ++i) {
        const Sum<S> to_query = way[static_cast<std::size_t>(keys_seen(tile, i))];
        for (Index j = 0; j < Nk; ++j) tile.logits(h, i, j) += S(way[static_cast<std::size_t>(j + 1)] - to_query);
      }
    }
  }

  template <class S>
  void score_gradient(const ScoreTile<S>& tile, Weights<const S> w, const ScoreGradient<S>& gradient,
                      Weights<S> dw) const {
    const Index Nk = tile.key_positions.size();
    for (Index h = 0; h < tile.query.shape(0); ++h) {
      std::vector<double> by_way(static_cast<std::size_t>(Nk + 1));
      for (Index i = 0; i < tile.query_positions.size(); ++i) {
        double by_query = 0;
        for (Index j = 0; j < Nk; ++j) {
          by_query -= gradient.logits(h, i, j);
          by_way[static_cast<std::size_t>(j + 1)] += gradient.logits(h, i, j);
        }
        by_way[static_cast<std::size_t>(keys_seen(tile, i))] += by_query;
      }
      const std::vector<double> by_step = running_sums_gradient(by_way);
      for (Index j = 0; j < Nk; ++j) {  // softplus' = sigmoid
        const S by_z = S(by_step[static_cast<std::size_t>(j)] * sigmoid(stretch(tile, w, h, j)));
        add_dot_gradient(by_z, w[0].row(h), tile.layer_input().row(j), dw[0].row(h), gradient.layer_input.row(j));
        dw[1](h) += by_z;
      }
    }
  }

 private:
  // w . x_j + c
  template <class S>
  static Sum<S> stretch(const ScoreTile<S>& tile, Weights<const S> w, Index h, Index j) {
    return Sum<S>(dot(w[0].row(h), tile.layer_input().row(j)) + w[1](h));
  }
};
POSLAB_SCHEME(Cable)
