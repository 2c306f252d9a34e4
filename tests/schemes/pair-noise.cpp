// SPDX-License-Identifier: Apache-2.0
// Noise of its own for every pair of positions, which favours none of them and knows no distance; and, if they are
// asked for, a slope and a bias on the first key: effects of known size for tests of marks.
#include <poslab/scheme.hpp>

using namespace poslab;

struct PairNoise {
  static constexpr Card card{
      .id = "pair-noise",
      .title = "Noise for each pair",
      .version = "1.0",
      .paper = "",
      .summary = "A normal number on the logit of each pair; a slope, and something for the first key.",
      .formula = "logit(i, j) += noise E[h, i, j] - slope (i - j) + first [j = 0]",
      .used_in = ""};
  double noise, first, slope;
  int max_length;
  static constexpr std::tuple params{
      real(&PairNoise::noise, "noise", 1, any_number, "standard deviation of the numbers"),
      real(&PairNoise::slope, "slope", 0, any_number, "taken from a logit for each position of distance"),
      real(&PairNoise::first, "first", 0, any_number, "added to the logits of the first key"),
      integer(&PairNoise::max_length, "max_length", 32, between(1, 512), "positions of the table").in("position")};
  Traits traits() const { return Traits().mask(Mask::causal_only).min_position(0).max_position(max_length - 1); }
  std::vector<Weight> weights(const Model& m) const {
    return {normal("pairs", {m.H, max_length, max_length}, 1, "of each pair, before its factor").each_layer()};
  }
  template <class S>
  S bias(int head, Point i, Point j, Weights<const S> w) const {
    const S noisy = S(noise) * w[0](head, static_cast<Index>(double(i)), static_cast<Index>(double(j)));
    return noisy - S(slope * (i - j)) + S(j == 0 ? first : 0);
  }
};
POSLAB_SCHEME(PairNoise)
