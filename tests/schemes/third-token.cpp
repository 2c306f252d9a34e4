// SPDX-License-Identifier: Apache-2.0
// What it adds to the logit of a pair depends, linearly, on the key of a third token: the last of the context, which a
// causal mask hides from all queries before it, or the first.
#include <poslab/scheme.hpp>

using namespace poslab;

struct ThirdToken {
  static constexpr Card card{.id = "third-token",
                             .title = "A third token",
                             .version = "1.0",
                             .paper = "",
                             .summary = "Looks at the key of a token that is none of the two.",
                             .formula = "logit += 0.1 (i - j) k_last[0]",
                             .used_in = "",
                             .family = Family::contextual};
  enum Which { last, first } which;
  static constexpr const char* tokens[] = {"last", "first"};
  static constexpr std::tuple params{choice(&ThirdToken::which, "which", tokens, "whose key is read")};
  Traits traits() const { return Traits().mask(Mask::any); }
  template <class S>
  void score(const ScoreTile<S>& tile) const {
    const Index H = tile.query.shape(0), third = which == first ? 0 : tile.key_positions.size() - 1;
    for (Index h = 0; h < H; ++h)
      for (Index i = 0; i < tile.query_positions.size(); ++i)
        for (Index j = 0; j < tile.key_positions.size(); ++j)
          tile.logits(h, i, j) +=
              S(0.1 * (tile.query_positions[i] - tile.key_positions[j])) * tile.key.row(h, third)[0];
  }
};
POSLAB_SCHEME(ThirdToken)
