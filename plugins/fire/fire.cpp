// SPDX-License-Identifier: Apache-2.0
// FIRE: a small network of the distance, which is measured in logarithms, as a share of how far the query looks back.
// Dimension letters: H heads, M width of the network.
#include <algorithm>

#include <poslab/scheme.hpp>

using namespace poslab;

struct Fire {
  static constexpr Card card{
      .id = "fire",
      .title = "Functional interpolation for relative positions",
      .version = "1.0",
      .paper = "Li et al. 2023, arXiv:2310.04418",
      .summary = "A learned function of the logarithm of the distance, relative to that of the query's position.",
      .formula = "logit += MLP(psi(i - j) / (psi(max(i, |m L|)) + eps)), psi(x) = ln(1 + |c x|)",
      .used_in = "FIRE's T5-like models",
      .real_positions = true};
  enum class Ahead { distance, zero } ahead;
  int mlp_width;
  double init_c, init_l, eps;
  static constexpr const char* aheads[] = {"distance", "zero"};
  static constexpr std::tuple params{
      choice(&Fire::ahead, "ahead", aheads, "keys after the query: their distance counts, or they count as distance 0"),
      integer(&Fire::mlp_width, "mlp_width", 32, between(1, 1024), "M: hidden units of the network"),
      real(&Fire::init_c, "init_c", 0.1, any_number, "initial c, which says how soon the logarithm bends"),
      real(&Fire::init_l, "init_l", 512.0, above(0), "L: queries before m L measure as if they stood there")
          .usual({512, 1024, 2048, 256, 128, 64, 32, 16, 8, 4, 2, 1})
          .in("position"),
      real(&Fire::eps, "eps", 1e-6, above(0), "added to what is divided by")};
  Traits traits() const {
    return Traits()
        .claims(content_free | length_free | (ahead == Ahead::zero ? bounded : no_claims))
        .min_position(0);  // the formula measures from the start of the sequence
  }

  std::vector<Weight> weights(const Model& m) const {
    const double out = 1 / std::sqrt(mlp_width);
    return {constant("c", {1}, init_c, "how soon the logarithm bends"),
            constant("l_multiplier", {1}, 1, "m: times L is from where distances are measured as shares"),
            uniform("hidden_weight", {mlp_width}, -1, 1, "from the distance to the hidden units"),
            uniform("hidden_bias", {mlp_width}, -1, 1),
            uniform("output_weight", {mlp_width, m.H}, -out, out, "from the hidden units to the heads"),
            uniform("output_bias", {m.H}, -out, out)};
  }

  template <class S>
  void bias(Point query, Point key, Row<S> heads, Weights<const S> w) const {
    const S x = Share<S>(*this, query, key, w).value;
    for (std::size_t h = 0; h < heads.size(); ++h) heads[h] = w[5](h);
    for (Index m = 0; m < mlp_width; ++m) {
      const S unit = w[2](m) * x + w[3](m);
      if (value_of(unit) > 0) add_scaled(heads, unit, w[4].row(m));
    }
  }

  template <class S>
  void bias_gradient(Point query, Point key, Row<const S> gradients, Weights<const S> w, Weights<S> dw) const {
    const Share<S> share(*this, query, key, w);
    add_scaled(dw[5].row(), S(1), gradients);
    S by_share = 0;
    for (Index m = 0; m < mlp_width; ++m) {
      const S unit = w[2](m) * share.value + w[3](m);
      if (!(unit > 0)) continue;
      add_scaled(dw[4].row(m), unit, gradients);
      const S by_unit = dot(gradients, w[4].row(m));
      dw[2](m) += by_unit * share.value;
      dw[3](m) += by_unit;
      by_share += by_unit * w[2](m);
    }
    share.add_gradient(by_share, dw);
  }

 private:
  // psi(distance) / (psi(reach) + eps), where reach = max(query, |m L|).
  template <class S>
  struct Share {
    Share(const Fire& fire, double query, double key, Weights<const S> w)
        : distance(std::max(query - key, fire.ahead == Ahead::zero ? 0.0 : key - query)),
          L(fire.init_l),
          c(w[0](0)),
          multiplier(w[1](0)),
          beyond(query >= std::abs(value_of(multiplier)) * fire.init_l),
          reach(beyond ? S(query) : abs(multiplier) * S(fire.init_l)),
          below(log1p(abs(c * reach)) + S(fire.eps)),
          value(log1p(abs(c * S(distance))) / below) {}

    // d psi(x) / dc = sign(c) |x| / (1 + |c x|), and by x the same with c and x changed round; reach >= 0.
    void add_gradient(S by_value, Weights<S> dw) const {
      const S sign = S(c > 0) - S(c < 0), by_below = -by_value * value / below;
      const S by_distance = by_value / below / (1 + abs(c * S(distance))), by_reach = by_below / (1 + abs(c * reach));
      dw[0](0) += sign * (by_distance * S(distance) + by_reach * reach);
      if (!beyond) dw[1](0) += by_reach * abs(c) * S(L) * (S(multiplier > 0) - S(multiplier < 0));
    }

    double distance, L;
    S c, multiplier;
    bool beyond;
    S reach, below, value;
  };
};
POSLAB_SCHEME(Fire)
