// SPDX-License-Identifier: Apache-2.0
// Stick-breaking attention: a query goes back from the key before it, and each key takes the sigmoid of its logit as a
// share of what the nearer ones have left. What is left in the end is the query's own key's. The weights sum to 1, so
// that the softmax of their logarithms is themselves.
// Dimension letters: H heads, Nk keys.
#include <utility>

#include <poslab/scheme.hpp>
#include <poslab/sdk/activation.hpp>
#include <poslab/sdk/found_logits.hpp>
#include <poslab/sdk/running_sum.hpp>

using namespace poslab;

struct StickBreaking {
  static constexpr Card card{
      .id = "stick-breaking",
      .title = "Stick-breaking attention",
      .version = "1.0",
      .paper = "Tan et al. 2024, arXiv:2410.17980",
      .summary = "From the query back, each key takes the sigmoid of its logit of what nearer keys have left.",
      .formula =
          "weight_ij = b_ij prod over l = j + 1 .. i - 1 of (1 - b_il), b_ij = sigmoid(q_i . k_j / sqrt(K)), "
          "weight_ii = prod over l < i of (1 - b_il)",
      .used_in = "",
      .family = Family::contextual};
  static constexpr Traits traits = Traits().claims(length_free).mask(Mask::causal_only).score_writes_logits();

  template <class S>
  void score(const ScoreTile<S>& tile) const {
    for (Index h = 0; h < tile.query.shape(0); ++h)
      for (Index i = 0; i < tile.query_positions.size(); ++i) {
        const Index own = keys_seen(tile, i) - 1;
        Sum<S> left(0);  // the logarithm of what the keys from j + 1 on have left
        for (Index j = own; j-- > 0;) {
          S& logit = tile.logits(h, i, j);
          const auto [taken, rest] = log_shares(Sum<S>(logit));
          logit = S(taken + left);
          left += rest;
        }
        tile.logits(h, i, own) = S(left);
      }
  }

  // A key's logit changes its own weight, and what it leaves to all before it and to the query's own.
  template <class S>
  void score_gradient(const ScoreTile<S>& tile, Weights<const S>, const ScoreGradient<S>& gradient, Weights<S>) const {
    std::vector<S> found(static_cast<std::size_t>(tile.key_positions.size())), by_found(found.size());
    for (Index h = 0; h < tile.query.shape(0); ++h)
      for (Index i = 0; i < tile.query_positions.size(); ++i) {
        set_found_logits<S>(tile, h, i, found);
        const Row<const S> given = gradient.logits.row(h, i);
        std::copy(given.begin(), given.end(), by_found.begin());  // keys after the query keep their logits
        const auto own = static_cast<std::size_t>(keys_seen(tile, i) - 1);
        by_found[own] = S(0);
        double by_left = given[own];
        for (std::size_t j = 0; j < own; ++j) {  // (ln sigmoid)' (z) = sigmoid(-z)
          const double z = found[j];
          by_found[j] = S(given[j] * sigmoid(-z) - by_left * sigmoid(z));
          by_left += given[j];
        }
        add_found_logits_gradient<S>(tile, gradient, h, i, by_found);
      }
  }

 private:
  // log_sigmoid(z) and log_sigmoid(-z), of one logarithm.
  template <class T>
  static std::pair<T, T> log_shares(const T& z) {
    const bool above = z > 0;
    const T common = -log1p(exp(above ? T(-z) : z));
    return above ? std::pair(common, T(common - z)) : std::pair(T(common + z), common);
  }
};
POSLAB_SCHEME(StickBreaking)
