// SPDX-License-Identifier: Apache-2.0
// Schemes for a causal mask alone that differ only in what that mask hides: keys to the right of their query. What
// attention comes to is the same for both values of `right`, and so must be every measure. What they claim, they claim
// of what the mask shows.
#include <poslab/scheme.hpp>

using namespace poslab;

struct HiddenPairs {
  static constexpr Card card{
      .id = "hidden-pairs",
      .title = "Hidden pairs",
      .version = "1.0",
      .paper = "",
      .summary = "Falls with the distance to the left; what it says to the right, no causal mask shows.",
      .formula =
          "logit -= s_h (i - j) (1 + a i) for j <= i, a = 0 or 0.01; to the right nothing, or 7 + 0.3 (j - i) + i / 9",
      .used_in = "",
      .real_positions = true,
  };
  enum Where { in_bias, in_score, in_contextual_score, in_mix } where;
  static constexpr const char* places[] = {"bias", "score", "contextual-score", "mix"};
  bool is_relative, right;
  static constexpr std::tuple params{
      choice(&HiddenPairs::where, "where", places, "the operation that says it"),
      flag(&HiddenPairs::is_relative, "relative", true, "whether what it says to the left depends on the offset alone"),
      flag(&HiddenPairs::right, "right", false, "whether it says something to the right, too")};
  Traits traits() const {
    return Traits()
        .claims(length_free | (where == in_contextual_score ? no_claims : content_free) |
                (is_relative && where != in_contextual_score ? relative : no_claims))
        .mask(Mask::causal_only);
  }
  bool offers(Operation operation) const {
    return operation == (where == in_bias ? Operation::bias : where == in_mix ? Operation::mix : Operation::score);
  }

  double says(Index head, double i, double j) const {
    if (j > i) return right ? 7 + 0.3 * (j - i) + i / 9 : 0;
    return (j - i) * (is_relative ? 1 : 1 + 0.01 * i) / static_cast<double>(head + 2);
  }
  double bias(int head, Point i, Point j) const { return says(head, i, j); }
  template <class S>
  void score(const ScoreTile<S>& tile) const {
    for (Index h = 0; h < tile.query.shape(0); ++h)
      for (Index i = 0; i < tile.query_positions.size(); ++i)
        for (Index j = 0; j < tile.key_positions.size(); ++j) {
          const double said = says(h, tile.query_positions[i], tile.key_positions[j]);
          tile.logits(h, i, j) += where == in_score ? S(said) : S(said) * tile.query.row(h, i)[0];
        }
  }
  template <class S>
  void mix(const MixTile<S>& tile) const {
    for (Index h = 0; h < tile.output.shape(0); ++h)
      for (Index i = 0; i < tile.query_positions.size(); ++i)
        for (Index j = 0; j < tile.key_positions.size(); ++j)
          tile.output(h, i, 0) += S(says(h, tile.query_positions[i], tile.key_positions[j])) * tile.attention(h, i, j);
  }
};
POSLAB_SCHEME(HiddenPairs)
