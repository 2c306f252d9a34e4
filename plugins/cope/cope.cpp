// SPDX-License-Identifier: Apache-2.0
// CoPE: a query counts the keys back to a key, each weighed by how much it attends to it; the count, a position between
// the integers, has a vector that the query meets.
// Dimension letters: H heads, K head width, P positions with a vector.
#include <algorithm>
#include <vector>

#include <poslab/scheme.hpp>
#include <poslab/sdk/activation.hpp>
#include <poslab/sdk/found_logits.hpp>
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

  // A logit changes by what lies at its count, and the counts of all keys before it by its gate.
  template <class S>
  void score_gradient(const ScoreTile<S>& tile, Weights<const S> w, const ScoreGradient<S>& gradient,
                      Weights<S> dw) const {
    const auto Nk = static_cast<std::size_t>(tile.key_positions.size());
    std::vector<S> asked(static_cast<std::size_t>(max_positions)), by_asked(asked.size()), found(Nk), by_found(Nk);
    std::vector<double> gates(Nk), counts(Nk);
    for (Index h = 0; h < tile.query.shape(0); ++h)
      for (Index i = 0; i < tile.query_positions.size(); ++i) {
        for (Index n = 0; n < max_positions; ++n)
          asked[static_cast<std::size_t>(n)] = dot(tile.query.row(h, i), w[0].row(n));
        set_found_logits<S>(tile, h, i, found);
        const auto seen = static_cast<std::size_t>(keys_seen(tile, i));
        double passed = 0;
        for (std::size_t j = seen; j-- > 0;) counts[j] = passed += gates[j] = sigmoid<double>(found[j]);
        std::fill(by_asked.begin(), by_asked.end(), S(0));
        std::fill(by_found.begin(), by_found.end(), S(0));
        double by_gate = 0;
        for (std::size_t j = 0; j < seen; ++j) {
          by_gate += add_gradient_between_rows(S(gradient.logits.row(h, i)[j]), asked, counts[j], by_asked);
          by_found[j] = S(by_gate * gates[j] * (1 - gates[j]));
        }
        add_found_logits_gradient<S>(tile, gradient, h, i, by_found);
        for (Index n = 0; n < max_positions; ++n)
          add_dot_gradient(by_asked[static_cast<std::size_t>(n)], tile.query.row(h, i), w[0].row(n),
                           gradient.query.row(h, i), dw[0].row(n));
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

  // Adds to `by_asked`; the result is the gradient by the count.
  template <class S>
  static double add_gradient_between_rows(const S& by_value, const std::vector<S>& asked, double count,
                                          std::vector<S>& by_asked) {
    const double last = static_cast<double>(asked.size()) - 1;
    if (!(count < last)) {
      by_asked.back() += by_value;
      return 0;
    }
    const auto n = static_cast<std::size_t>(count);
    const double beyond = count - static_cast<double>(n);
    by_asked[n] += S((1 - beyond) * by_value);
    by_asked[n + 1] += S(beyond * by_value);
    return (static_cast<double>(asked[n + 1]) - asked[n]) * by_value;
  }
};
POSLAB_SCHEME(Cope)
