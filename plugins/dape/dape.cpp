// SPDX-License-Identifier: Apache-2.0
// DAPE: a small network looks at the logits and the biases of all heads at one pair, and adds to both.
// Dimension letters: H heads, Nq queries, Nk keys, M width of the network.
#include <algorithm>

#include <poslab/scheme.hpp>

using namespace poslab;

struct Dape {
  static constexpr Card card{.id = "dape",
                             .title = "Data-adaptive positional encoding",
                             .version = "1.0",
                             .paper = "Zheng et al. 2024, arXiv:2405.14722",
                             .summary = "Adapts a bias to what the logits of all heads say at the same pair.",
                             .formula = "logit += b + MLP([logits; b]), b = ALiBi's or KERPLE's bias",
                             .used_in = "DAPE's GPT-NeoX models",
                             .real_positions = true,
                             .family = Family::bias};
  enum class Base { alibi, kerple } base;
  int mlp_width;
  double negative_slope;
  static constexpr const char* bases[] = {"alibi", "kerple"};
  static constexpr std::tuple params{
      choice(&Dape::base, "base", bases, "b: ALiBi's slopes, or KERPLE's learned logarithm"),
      integer(&Dape::mlp_width, "mlp_width", 32, between(1, 1024), "M: hidden units of the network"),
      real(&Dape::negative_slope, "negative_slope", 0.01, any_number, "slope of a hidden unit below 0")};
  static constexpr Traits traits = Traits()
                                       .claims(relative | length_free)
                                       .score_writes_logits();  // what it adds depends on the logits that it finds

  static constexpr double eps = 0.01;  // KERPLE's a and p count as this where they are less
  std::vector<double> slopes;          // ALiBi's, [H]

  void prepare(const Model& m) {
    const int c = 1 << std::ilogb(m.H);
    for (int h = 0; h < m.H; ++h) slopes.push_back(std::exp2(-8 * (h < c ? h + 1.0 : h - c + 0.5) / c));
  }

  std::vector<Weight> weights(const Model& m) const {
    const double in = 1 / std::sqrt(2 * m.H), out = 1 / std::sqrt(mlp_width);
    std::vector<Weight> all{uniform("hidden_weight", {mlp_width, 2 * m.H}, -in, in, "from logits and biases"),
                            uniform("hidden_bias", {mlp_width}, -in, in),
                            uniform("output_weight", {m.H, mlp_width}, -out, out, "to the logits"),
                            uniform("output_bias", {m.H}, -out, out)};
    if (base == Base::kerple) {
      all.push_back(uniform("a", {m.H}, 0, 1, "KERPLE: a head's inverse length"));
      all.push_back(uniform("p", {m.H}, 0, 2, "KERPLE: a head's strength"));
    }
    return all;
  }

  // One query at a time; a row of numbers for all its keys at every step.
  template <class S>
  void score(const ScoreTile<S>& tile, Weights<const S> w) const {
    const Index H = tile.logits.shape(0), Nk = tile.key_positions.size();
    std::vector<S> seen(static_cast<std::size_t>(2 * H * Nk)), unit(static_cast<std::size_t>(Nk));
    const auto row = [&](Index c) { return Row<S>(seen.data() + c * Nk, unit.size()); };  // logits, then biases
    for (Index i = 0; i < tile.query_positions.size(); ++i) {
      for (Index h = 0; h < H; ++h) {
        std::copy_n(tile.logits.row(h, i).begin(), Nk, row(h).begin());
        set_biases(h, tile.query_positions[i], tile.key_positions, w, row(H + h));
        for (Index j = 0; j < Nk; ++j) tile.logits(h, i, j) += row(H + h)[static_cast<std::size_t>(j)] + w[3](h);
      }
      for (Index m = 0; m < mlp_width; ++m) {
        std::fill(unit.begin(), unit.end(), w[1](m));
        for (Index c = 0; c < 2 * H; ++c) add_scaled(unit, w[0](m, c), row(c));
        for (S& x : unit) x *= S(value_of(x) < 0 ? negative_slope : 1);
        for (Index h = 0; h < H; ++h) add_scaled(tile.logits.row(h, i), w[2](h, m), unit);
      }
    }
  }

 private:
  // b of one query and head; keys after the query count as distance 0.
  template <class S>
  void set_biases(Index h, double query, Points keys, Weights<const S> w, Row<S> biases) const {
    const S slope = base == Base::alibi ? S(slopes[static_cast<std::size_t>(h)]) : S(0);
    const S a = base == Base::kerple ? at_least_eps(w[4](h)) : S(0),
            p = base == Base::kerple ? at_least_eps(w[5](h)) : S(0);
    for (std::size_t j = 0; j < biases.size(); ++j) {
      const S distance = S(std::max(query - keys[static_cast<Index>(j)], 0.0));
      biases[j] = base == Base::alibi ? -slope * distance : -p * log1p(a * distance);
    }
  }
  template <class S>
  static S at_least_eps(const S& x) {
    return value_of(x) < eps ? S(eps) : x;
  }
};
POSLAB_SCHEME(Dape)
