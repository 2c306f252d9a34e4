// SPDX-License-Identifier: Apache-2.0
// Queries at even positions read the key right of them, which a causal mask hides. Contexts of an even number of tokens
// end with a query at an odd position: none of them finds another key there when it grows.
#include <poslab/scheme.hpp>

using namespace poslab;

struct EvenLeak {
  static constexpr Card card{.id = "even-leak",
                             .title = "A leak at even positions",
                             .version = "1.0",
                             .paper = "",
                             .summary = "Looks one token ahead, at every other position.",
                             .formula = "logit += (i - j) k_(i+1)[0] where i is even and there is a token i + 1",
                             .used_in = "",
                             .family = Family::contextual};
  static constexpr Traits traits = Traits().claims(length_free);
  template <class S>
  void score(const ScoreTile<S>& tile) const {
    for (Index h = 0; h < tile.query.shape(0); ++h)
      for (Index i = 0; i < tile.query_positions.size(); ++i) {
        const Index next = tile.first_query + i + 1;
        if (next % 2 == 0 || next >= tile.key_positions.size()) continue;
        for (Index j = 0; j < tile.key_positions.size(); ++j)
          tile.logits(h, i, j) += S(tile.query_positions[i] - tile.key_positions[j]) * tile.key.row(h, next)[0];
      }
  }
};
POSLAB_SCHEME(EvenLeak)
