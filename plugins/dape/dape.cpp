// SPDX-License-Identifier: Apache-2.0
// DAPE: a small network looks at the logits and the biases of all heads at one pair, and adds to both.
// Dimension letters: H heads, Nq queries, Nk keys, M width of the network.
#include <algorithm>
#include <vector>

#include <poslab/scheme.hpp>
#include <poslab/sdk/found_logits.hpp>

using namespace poslab;

struct Dape {
  static constexpr Card card{.id = "dape",
                             .title = "Data-adaptive positional encoding",
                             .version = "2.0",
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
    for (Weight& weight : all) weight = weight.each_layer();  // a part of each attention in the authors' code
    return all;
  }

  // One query at a time; a row of numbers for all its keys at every step.
  template <class S>
  void score(const ScoreTile<S>& tile, Weights<const S> w) const {
    const Index H = tile.logits.shape(0), Nk = tile.key_positions.size();
    RowsOf<S> seen(2 * H, Nk), units(mlp_width, Nk);
    std::vector<S> unit_slopes(static_cast<std::size_t>(Nk));
    for (Index i = 0; i < tile.query_positions.size(); ++i) {
      for (Index h = 0; h < H; ++h) {
        std::copy_n(tile.logits.row(h, i).begin(), Nk, seen.row(h).begin());
        set_biases(h, tile.query_positions[i], tile.key_positions, w, seen.row(H + h));
        for (Index j = 0; j < Nk; ++j) tile.logits(h, i, j) += seen.row(H + h)[static_cast<std::size_t>(j)] + w[3](h);
      }
      for (Index m = 0; m < mlp_width; ++m) {
        set_sum_of_inputs(m, seen, w, units.row(m));
        set_slopes<S>(units.row(m), unit_slopes);
        scale<S>(units.row(m), unit_slopes);
      }
      for (Index h = 0; h < H; ++h)
        add_scaled_rows(
            tile.logits.row(h, i), mlp_width, [&](Index m) { return w[2](h, m); },
            [&](Index m) { return units.row(m); });
    }
  }

  template <class S>
  void score_gradient(const ScoreTile<S>& tile, Weights<const S> w, const ScoreGradient<S>& gradient,
                      Weights<S> dw) const {
    const Index H = gradient.logits.shape(0), Nk = tile.key_positions.size();
    RowsOf<S> seen(2 * H, Nk), by_seen(2 * H, Nk), units(mlp_width, Nk), by_units(mlp_width, Nk);
    std::vector<S> unit_slopes(static_cast<std::size_t>(Nk));
    const std::vector<S> ones(unit_slopes.size(), S(1));  // whose dot with a row is its sum
    for (Index i = 0; i < tile.query_positions.size(); ++i) {
      const auto by_logits = [&](Index h) { return gradient.logits.row(h, i); };
      for (Index h = 0; h < H; ++h) {
        set_found_logits<S>(tile, h, i, seen.row(h));
        set_biases(h, tile.query_positions[i], tile.key_positions, w, seen.row(H + h));
        for (const Index c : {h, H + h}) std::copy_n(by_logits(h).begin(), Nk, by_seen.row(c).begin());
        dw[3](h) += dot(by_logits(h), ones);
      }
      for (Index m = 0; m < mlp_width; ++m) {
        const Row<S> unit = units.row(m), by_unit = by_units.row(m);
        set_sum_of_inputs(m, seen, w, unit);
        std::fill(by_unit.begin(), by_unit.end(), S(0));
        add_scaled_rows(
            by_unit, H, [&](Index h) { return w[2](h, m); }, by_logits);
        set_slopes<S>(unit, unit_slopes);
        scale<S>(unit, unit_slopes);
        scale<S>(by_unit, unit_slopes);
        for_dots(unit, H, by_logits, [&](Index h, S by) { dw[2](h, m) += by; });
        for_dots(
            by_unit, 2 * H, [&](Index c) { return seen.row(c); }, [&](Index c, S by) { dw[0](m, c) += by; });
        dw[1](m) += dot(by_unit, ones);
      }
      for (Index c = 0; c < 2 * H; ++c)
        add_scaled_rows(
            by_seen.row(c), mlp_width, [&](Index m) { return w[0](m, c); }, [&](Index m) { return by_units.row(m); });
      for (Index h = 0; h < H; ++h) {
        add_found_logits_gradient<S>(tile, gradient, h, i, by_seen.row(h));
        if (base == Base::kerple)
          add_biases_gradient<S>(h, tile.query_positions[i], tile.key_positions, by_seen.row(H + h), w, dw);
      }
    }
  }

 private:
  // [rows, Nk]
  template <class S>
  class RowsOf {
   public:
    RowsOf(Index rows, Index Nk) : Nk_(Nk), numbers_(static_cast<std::size_t>(rows * Nk)) {}
    Row<S> row(Index r) { return {numbers_.data() + r * Nk_, static_cast<std::size_t>(Nk_)}; }

   private:
    Index Nk_;
    std::vector<S> numbers_;
  };

  // Slopes of a whole row, then their products with it: two loops without a branch, which are vector code.
  template <class S>
  void set_slopes(Row<const S> sums, std::vector<S>& unit_slopes) const {
    const S below(negative_slope), above(1);
    const S* const sum = sums.data();
    for (std::size_t j = 0; j < unit_slopes.size(); ++j) unit_slopes[j] = value_of(sum[j]) < 0 ? below : above;
  }
  template <class S>
  static void scale(Row<S> row, const std::vector<S>& factors) {
    S* const x = row.data();
    for (std::size_t j = 0; j < factors.size(); ++j) x[j] *= factors[j];
  }

  // What unit m of the network is given.
  template <class S>
  void set_sum_of_inputs(Index m, RowsOf<S>& seen, Weights<const S> w, Row<S> sum) const {
    std::fill(sum.begin(), sum.end(), w[1](m));
    add_scaled_rows(
        sum, w[0].shape(1), [&](Index c) { return w[0](m, c); }, [&](Index c) { return seen.row(c); });
  }

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
  // The gradient by KERPLE's a and p; where they are less than eps, nothing depends on them.
  template <class S>
  void add_biases_gradient(Index h, double query, Points keys, Row<const S> by_biases, Weights<const S> w,
                           Weights<S> dw) const {
    const S a = at_least_eps(w[4](h)), p = at_least_eps(w[5](h));
    for (std::size_t j = 0; j < by_biases.size(); ++j) {
      const S distance = S(std::max(query - keys[static_cast<Index>(j)], 0.0));
      if (!(w[4](h) < eps)) dw[4](h) -= by_biases[j] * p * distance / (1 + a * distance);
      if (!(w[5](h) < eps)) dw[5](h) -= by_biases[j] * log1p(a * distance);
    }
  }
  template <class S>
  static S at_least_eps(const S& x) {
    return value_of(x) < eps ? S(eps) : x;
  }
};
POSLAB_SCHEME(Dape)
