// SPDX-License-Identifier: Apache-2.0
// A gradient by hand that is right as far as one looks at first: wrong from the fifth head on, at distances beyond
// 1000, in layers after the first, or under a causal mask.
#include <poslab/scheme.hpp>

#include <cmath>

using namespace poslab;

struct LateGradient {
  static constexpr Card card{
      .id = "late-gradient",
      .title = "Late gradient",
      .version = "1.0",
      .paper = "",
      .summary = "A learned strength of the logarithm of the distance, whose gradient misses some.",
      .formula = "logit += s_h ln(1 + |i - j|)"};
  enum class Missing { heads, distances, layers, masks } missing;
  static constexpr const char* names[] = {"heads", "distances", "layers", "masks"};
  static constexpr std::tuple params{choice(&LateGradient::missing, "missing", names, "what the gradient leaves out")};
  static constexpr Traits traits = Traits().claims(relative | content_free | length_free);

  std::vector<Weight> weights(const Model& m) const { return {normal("strength", {m.H}, 1, "s of a head")}; }

  template <class S>
  void bias(Point query, Point key, Row<S> heads, Weights<const S> w) const {
    for (std::size_t h = 0; h < heads.size(); ++h) heads[h] = w[0](h) * S(std::log1p(std::abs(query - key)));
  }

  template <class S>
  void bias_gradient(Point query, Point key, Row<const S> gradients, Context context, Weights<const S>,
                     Weights<S> dw) const {
    const double distance = std::abs(query - key);
    if (missing == Missing::layers && context.layer > 0) return;
    if (missing == Missing::masks && context.causal) return;
    if (missing == Missing::distances && distance > 1000) return;
    const std::size_t seen = missing == Missing::heads ? std::min<std::size_t>(4, gradients.size()) : gradients.size();
    for (std::size_t h = 0; h < seen; ++h) dw[0](h) += gradients[h] * S(std::log1p(distance));
  }
};
POSLAB_SCHEME(LateGradient)
