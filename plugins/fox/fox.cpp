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
    const Tensor<const S>& x = tile.layer_input();
    const Index Nk = tile.key_positions.size();
    for (Index h = 0; h < tile.query.shape(0); ++h) {
      const std::vector<Sum<S>> forgotten =
          running_sums<S>(Nk, [&](Index j) { return log_sigmoid(Sum<S>(dot(w[0].row(h), x.row(j)) + w[1](h))); });
      for (Index i = 0; i < tile.query_positions.size(); ++i) {
        const Sum<S> at_query = forgotten[static_cast<std::size_t>(keys_seen(tile, i))];
        for (Index j = 0; j < Nk; ++j) tile.logits(h, i, j) += S(at_query - forgotten[static_cast<std::size_t>(j + 1)]);
      }
    }
  }
};
POSLAB_SCHEME(Fox)
