// SPDX-License-Identifier: Apache-2.0
// PaTH: every token is a Householder-like step; between a query and a key lies the product of the steps in between.
// Dimension letters: D model width, H heads, K head width, Nk keys.
#include <algorithm>

#include <poslab/scheme.hpp>

#include "reflections.hpp"

using namespace poslab;

struct Path {
  static constexpr Card card{
      .id = "path",
      .title = "PaTH attention",
      .version = "1.0",
      .paper = "Yang et al. 2025, arXiv:2505.16381",
      .summary = "Queries reach keys through the product of Householder-like steps that the tokens between make.",
      .formula = "logit = q_i^T H_i H_(i-1) ... H_(j+1) k_j / sqrt(K), H_t = I - beta_t w_t w_t^T",
      .used_in = "PaTH Transformer, PaTH-FoX",
      .family = Family::contextual};
  int rank, convolution;
  bool normalised, forget_gate;
  double init_std, epsilon;
  static constexpr std::tuple params{
      integer(&Path::rank, "rank", 32, between(1, 1 << 16), "width of the projection in the middle, from x to w"),
      integer(&Path::convolution, "convolution", 3, between(0, 1 << 10),
              "taps of the causal convolution of w, with a SiLU after it; 0: neither"),
      flag(&Path::normalised, "normalised", true,
           "w is divided by its length; else it is taken as it comes, and a long one makes the way grow"),
      flag(&Path::forget_gate, "forget_gate", false, "PaTH-FoX: forget gates as in fox are added before the scale"),
      real(&Path::init_std, "init_std", 0.02, at_least(0), "standard deviation of the initial projections"),
      real(&Path::epsilon, "epsilon", 1e-6, above(0), "added to the squared length by whose root w is divided")};
  Traits traits() const {
    return Traits()
        .claims(length_free | (normalised && !forget_gate ? bounded : no_claims))
        .mask(Mask::causal_only)
        .score_writes_logits();
  }

  std::vector<Weight> weights(const Model& m) const {
    std::vector<Weight> result{normal("down", {rank, m.D}, init_std, "from the layer's input").each_layer(),
                               normal("up", {m.H * m.K, rank}, init_std, "to w of all heads").each_layer(),
                               normal("strength", {m.H, m.D}, init_std, "from the layer's input to beta").each_layer(),
                               constant("strength_bias", {m.H}, 0, "at 0, beta begins near 1").each_layer()};
    const double bound = 1 / std::sqrt(std::max(convolution, 1));
    if (convolution > 0)
      result.push_back(
          uniform("taps", {m.H * m.K, convolution}, -bound, bound, "the last is for the token itself").each_layer());
    if (forget_gate) {
      result.push_back(normal("gate", {m.H, m.D}, init_std, "from the layer's input to the forget gate").each_layer());
      result.push_back(constant("gate_bias", {m.H}, 0, "a great one forgets nothing").each_layer());
    }
    return result;
  }

  template <class S>
  void score(const ScoreTile<S>& tile, Weights<const S> w) const {
    const Tensor<const S>& x = tile.layer_input();
    const Index H = tile.query.shape(0), K = tile.query.shape(2), Nq = tile.query_positions.size();
    if (Nq == 0) return;
    const Index most = keys_seen(tile, Nq - 1);
    const Tensor<const S> taps = convolution > 0 ? w[4] : Tensor<const S>();
    Reflections<S> steps({w[0], w[1], taps, w[2], w[3]}, x, most, H);
    if (normalised) steps.normalise(epsilon);
    std::vector<S> way(static_cast<std::size_t>(K));  // q_i^T H_i H_(i-1) ...
    for (Index h = 0; h < H; ++h) {
      const std::vector<Sum<S>> forgotten = forgetting<S>(w, x, most, h);
      for (Index i = 0; i < Nq; ++i) {
        for (Index k = 0; k < K; ++k) way[static_cast<std::size_t>(k)] = tile.query(h, i, k);
        const Index seen = keys_seen(tile, i);
        for (Index j = seen; j-- > 0;) {
          S product = dot(way, tile.key.row(h, j));
          if (forget_gate)
            product += S(forgotten[static_cast<std::size_t>(seen)] - forgotten[static_cast<std::size_t>(j + 1)]);
          tile.logits(h, i, j) = S(tile.scale) * product;
          steps.apply(h, j, way);
        }
      }
    }
  }

 private:
  // The running sums of the logarithms of head h's forget gates.
  template <class S>
  std::vector<Sum<S>> forgetting(Weights<const S> w, const Tensor<const S>& x, Index count, Index h) const {
    if (!forget_gate) return {};
    const std::size_t gate = convolution > 0 ? 5 : 4;
    return running_sums<S>(
        count, [&](Index j) { return log_sigmoid(Sum<S>(dot(w[gate].row(h), x.row(j)) + w[gate + 1](h))); });
  }
};
POSLAB_SCHEME(Path)
