// SPDX-License-Identifier: Apache-2.0
// CoPE: a query counts the keys back to a key, each weighed by how much it attends to it; the count, a position between
// the integers, has a vector that the query meets.
// Dimension letters: H heads, K head width, P positions with a vector.
#include <poslab/scheme.hpp>
#include <poslab/sdk/activation.hpp>
#include <poslab/sdk/running_sum.hpp>

using namespace poslab;

struct Cope {
  static constexpr Card card{.id = "cope",
                             .title = "Contextual position encoding (CoPE)",
                             .version = "1.0",
                             .paper = "Golovneva et al. 2024, arXiv:2405.18719",
                             .summary = "Positions are counted by gates that depend on the content, key by key.",
                             .formula =
                                 "logit = L_ij + q_i . e[p_ij], L_ij = q_i . k_j / sqrt(K), p_ij = min(sum over l "
                                 "= j .. i of sigmoid(L_il), P - 1), e interpolated",
                             .used_in = "",
                             .family = Family::contextual};
  int max_positions;
  double init_std;
  static constexpr std::tuple params{
      integer(&Cope::max_positions, "max_positions", 64, between(2, 1 << 20),
              "P: counts from P - 1 on share the last vector"),
      real(&Cope::init_std, "init_std", 0, at_least(0),
           "standard deviation of the initial vectors; the published 0 is no position at all")};
  static constexpr Traits traits = Traits().claims(length_free | bounded).mask(Mask::causal_only);

  std::vector<Weight> weights(const Model& m) const {
    return {normal("positions", {max_positions, m.K}, init_std, "e: the vector of every whole count").each_layer()};
  }

  template <class S>
  void score(const ScoreTile<S>& tile, Weights<const S> w) const {
    std::vector<S> asked(static_cast<std::size_t>(max_positions));  // q_i . e[n], q not scaled
    for (Index h = 0; h < tile.query.shape(0); ++h)
      for (Index i = 0; i < tile.query_positions.size(); ++i) {
        for (Index n = 0; n < max_positions; ++n)
          asked[static_cast<std::size_t>(n)] = dot(tile.query.row(h, i), w[0].row(n));
        Sum<S> passed(0);  // from the query back to key j, both included; keys after the query never count
        for (Index j = keys_seen(tile, i); j-- > 0;) {
          S& logit = tile.logits(h, i, j);
          passed += sigmoid(Sum<S>(logit));
          logit += S(between_rows(asked, passed));
        }
      }
  }

 private:
  template <class S>
  static Sum<S> between_rows(const std::vector<S>& asked, const Sum<S>& count) {
    const double last = static_cast<double>(asked.size()) - 1;
    if (!(count < last)) return Sum<S>(asked.back());
    const auto n = static_cast<std::size_t>(value_of(count));
    const Sum<S> beyond = count - static_cast<double>(n);
    return (1.0 - beyond) * Sum<S>(asked[n]) + beyond * Sum<S>(asked[n + 1]);
  }
};
POSLAB_SCHEME(Cope)
