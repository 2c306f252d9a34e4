// SPDX-License-Identifier: Apache-2.0
// Dynamic position bias: a small network of the signed distance gives every head its bias.
// Dimension letters: H heads, C width of the network, one layer more than its depth.
#include <algorithm>
#include <string>

#include <poslab/scheme.hpp>
#include <poslab/sdk/activation.hpp>

using namespace poslab;

struct DynamicPositionBias {
  static constexpr Card card{.id = "dynamic-position-bias",
                             .title = "Dynamic position bias",
                             .version = "1.0",
                             .paper = "Wang et al. 2021, arXiv:2108.00154",
                             .summary = "A learned network turns the signed distance into a bias of every head.",
                             .formula = "logit += MLP(x), x = i - j or sign(i - j) ln(1 + |i - j|)",
                             .used_in = "CrossFormer (in two dimensions), x-transformers",
                             .real_positions = true};
  std::optional<int> dim;
  int depth;
  bool log_distance;
  static constexpr std::tuple params{
      integer(&DynamicPositionBias::dim, "dim", unset, between(1, 512), "C: width of the network; unset: D / 4"),
      integer(&DynamicPositionBias::depth, "depth", 2, between(1, 8), "layers with an activation"),
      flag(&DynamicPositionBias::log_distance, "log_distance", false, "the network sees the distance's logarithm")};
  static constexpr Traits traits = Traits().claims(relative | content_free | length_free);

  int C;

  void prepare(const Model& m) { C = dim.value_or(std::max(m.D / 4, 1)); }

  std::vector<Weight> weights(const Model& m) const {
    std::vector<Weight> layers;
    for (int layer = 0; layer <= depth; ++layer) {
      const int in = layer == 0 ? 1 : C, out = layer == depth ? m.H : C;
      const double limit = 1 / std::sqrt(in);
      layers.push_back(uniform("weight_" + std::to_string(layer), {out, in}, -limit, limit));
      layers.push_back(uniform("bias_" + std::to_string(layer), {out}, -limit, limit));
    }
    return layers;
  }

  template <class S>
  void bias(double offset, Row<S> heads, Weights<const S> w) const {
    const double back = -offset;
    std::vector<S> in{S(log_distance ? std::copysign(std::log1p(std::abs(back)), back) : back)}, out;
    for (std::size_t layer = 0;; ++layer) {
      const auto &weight = w[2 * layer], &constant = w[2 * layer + 1];
      out.clear();
      for (Index c = 0; c < weight.shape(0); ++c) out.push_back(dot(in, weight.row(c)) + constant(c));
      if (layer == static_cast<std::size_t>(depth)) break;
      for (S& x : out) x = silu(x);
      in.swap(out);
    }
    std::copy(out.begin(), out.end(), heads.begin());
  }
};
POSLAB_SCHEME(DynamicPositionBias)
