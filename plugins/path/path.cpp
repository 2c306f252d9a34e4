// SPDX-License-Identifier: Apache-2.0
// PaTH: every token is a Householder-like step; between a query and a key lies the product of the steps in between.
// Dimension letters: D model width, H heads, K head width, Nk keys.
#include <algorithm>

#include <poslab/scheme.hpp>
#include <poslab/sdk/activation.hpp>
#include <poslab/sdk/running_sum.hpp>

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
              "taps of the causal convolution of w, with a SiLU after it; 0: neither")
          .usual({3, 0, 4, 2}),
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
    Reflections<S> steps(named(w), x, most, H);
    if (normalised) steps.normalise(epsilon);
    std::vector<S> ways(static_cast<std::size_t>(Nq * K));  // of every query: q_i^T H_i H_(i-1) ... down to the key
    for (Index h = 0; h < H; ++h) {
      const std::vector<Sum<S>> forgotten = forgetting<S>(w, x, most, h);
      for (Index i = 0; i < Nq; ++i)
        for (Index k = 0; k < K; ++k) ways[static_cast<std::size_t>(i * K + k)] = tile.query(h, i, k);
      for (Index j = most; j-- > 0;) {
        const Index first = first_to_see(tile, j);
        const auto way = [&](Index n) { return row_of(ways, first + n, K); };
        for_dots(tile.key.row(h, j), Nq - first, way, [&](Index n, S product) {
          if (forget_gate)
            product += S(forgotten[static_cast<std::size_t>(keys_seen(tile, first + n))] -
                         forgotten[static_cast<std::size_t>(j + 1)]);
          tile.logits(h, first + n, j) = S(tile.scale) * product;
        });
        steps.apply(h, j, Nq - first, way);
      }
    }
  }

  // With way_j what key j is met with: way_(j - 1) = H_j way_j, and its gradient goes the other way. All queries that
  // see a key take its step together.
  template <class S>
  void score_gradient(const ScoreTile<S>& tile, Weights<const S> w, const ScoreGradient<S>& gradient,
                      Weights<S> dw) const {
    const Tensor<const S>& x = tile.layer_input();
    const Index H = tile.query.shape(0), K = tile.query.shape(2), Nq = tile.query_positions.size();
    if (Nq == 0) return;
    const Index most = keys_seen(tile, Nq - 1);
    Reflections<S> steps(named(w), x, most, H);
    if (normalised) steps.normalise(epsilon);
    auto by_steps = steps.zero_gradient();
    std::vector<S> ways(static_cast<std::size_t>(most * Nq * K)), by_ways(static_cast<std::size_t>(Nq * K));
    const auto way = [&](Index j, Index i) { return row_of(ways, j * Nq + i, K); };
    for (Index h = 0; h < H; ++h) {
      for (Index j = most; j-- > 0;) {
        const Index own = j - tile.first_query, later = first_to_see(tile, j + 1);
        if (own >= 0) std::copy_n(tile.query.row(h, own).begin(), K, way(j, own).begin());
        if (later == Nq) continue;
        std::copy_n(way(j + 1, later).data(), (Nq - later) * K, way(j, later).data());
        steps.apply(h, j + 1, Nq - later, [&](Index n) { return way(j, later + n); });
      }
      std::fill(by_ways.begin(), by_ways.end(), S(0));
      for (Index j = 0; j < most; ++j) {
        const Index first = first_to_see(tile, j), count = Nq - first;
        const auto met = [&](Index n) { return way(j, first + n); };
        const auto by_way = [&](Index n) { return row_of(by_ways, first + n, K); };
        const auto by_product = [&](Index n) { return S(tile.scale) * gradient.logits(h, first + n, j); };
        if (j > 0) steps.apply_gradient(h, j, count, met, by_way, by_steps);
        for (Index n = 0; n < count; ++n) add_scaled(by_way(n), by_product(n), tile.key.row(h, j));
        add_scaled_rows(gradient.key.row(h, j), count, by_product, met);
      }
      for (Index i = 0; i < Nq; ++i) {
        add_scaled(gradient.query.row(h, i), S(1), row_of(by_ways, i, K));
        for (Index j = keys_seen(tile, i); j < tile.key_positions.size(); ++j)  // left as they were
          if (const S by_product = S(tile.scale) * gradient.logits(h, i, j); by_product != 0)
            add_dot_gradient(by_product, tile.query.row(h, i), tile.key.row(h, j), gradient.query.row(h, i),
                             gradient.key.row(h, j));
      }
    }
    steps.pass_on(std::move(by_steps), named(w), x, named(dw), gradient.layer_input);
    if (forget_gate) forgetting_gradient(tile, w, gradient, dw);
  }

 private:
  template <class S>
  ReflectionWeights<S> named(Weights<S> w) const {
    return {w[0], w[1], convolution > 0 ? w[4] : Tensor<S>(), w[2], w[3]};
  }
  // The first of the tile's queries that sees key j; Nq where none does.
  template <class S>
  static Index first_to_see(const ScoreTile<S>& tile, Index j) {
    return std::clamp<Index>(j - tile.first_query, 0, tile.query_positions.size());
  }
  template <class S>
  static Row<S> row_of(std::vector<S>& rows, Index n, Index K) {
    return {rows.data() + n * K, static_cast<std::size_t>(K)};
  }
  std::size_t gate() const { return convolution > 0 ? 5 : 4; }

  template <class S>
  Sum<S> opening(Weights<const S> w, const Tensor<const S>& x, Index j, Index h) const {
    return Sum<S>(dot(w[gate()].row(h), x.row(j)) + w[gate() + 1](h));
  }

  template <class S>
  std::vector<Sum<S>> forgetting(Weights<const S> w, const Tensor<const S>& x, Index count, Index h) const {
    if (!forget_gate) return {};
    return running_sums<S>(count, [&](Index j) { return log_sigmoid(opening<S>(w, x, j, h)); });
  }

  // As in fox, for the keys that a query sees.
  template <class S>
  void forgetting_gradient(const ScoreTile<S>& tile, Weights<const S> w, const ScoreGradient<S>& gradient,
                           Weights<S> dw) const {
    const Tensor<const S>& x = tile.layer_input();
    for (Index h = 0; h < tile.query.shape(0); ++h) {
      std::vector<double> by_forgotten(static_cast<std::size_t>(tile.key_positions.size() + 1));
      for (Index i = 0; i < tile.query_positions.size(); ++i) {
        const Index seen = keys_seen(tile, i);
        for (Index j = 0; j < seen; ++j) {
          const double by_sum = tile.scale * gradient.logits(h, i, j);
          by_forgotten[static_cast<std::size_t>(seen)] += by_sum;
          by_forgotten[static_cast<std::size_t>(j + 1)] -= by_sum;
        }
      }
      const std::vector<double> by_gate = running_sums_gradient(by_forgotten);
      for (Index j = 0; j < tile.key_positions.size(); ++j) {
        const S by_z = S(by_gate[static_cast<std::size_t>(j)] * sigmoid(-opening<S>(w, x, j, h)));
        add_dot_gradient(by_z, w[gate()].row(h), x.row(j), dw[gate()].row(h), gradient.layer_input.row(j));
        dw[gate() + 1](h) += by_z;
      }
    }
  }
};
POSLAB_SCHEME(Path)
