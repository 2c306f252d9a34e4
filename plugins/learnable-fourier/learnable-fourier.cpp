// SPDX-License-Identifier: Apache-2.0
// Learnable Fourier features: cosines and sines of learned projections of the position, through a small network.
// Dimension letters: D model width, G groups of axes, M axes of a group, F Fourier features, N hidden channels.
#include <poslab/scheme.hpp>
#include <poslab/sdk/angles.hpp>

#include <numbers>

using namespace poslab;

struct LearnableFourier {
  static constexpr Card card{
      .id = "learnable-fourier",
      .title = "Learnable Fourier features",
      .version = "1.0",
      .paper = "Li et al. 2021, arXiv:2106.02795",
      .summary = "Adds what a small network makes of cosines and sines of learned projections of the position.",
      .formula = "e(x) = W2 GELU(W1 [cos(Wr x), sin(Wr x)] / sqrt(F) + b1) + b2",
      .used_in = "",
      .real_positions = true,
      .most_axes = 4};
  std::optional<int> fourier_width;
  int hidden, groups, group_axes;
  double gamma;
  static constexpr std::tuple params{
      integer(&LearnableFourier::fourier_width, "fourier_width", unset, between(2, 1 << 20),
              "F, cosines and sines together; unset: the model width, made even"),
      integer(&LearnableFourier::hidden, "hidden", 32, between(1, 1 << 20), "hidden channels of the network"),
      integer(&LearnableFourier::groups, "groups", 1, between(1, 4),
              "groups of axes, each encoded by the same weights into its own channels"),
      integer(&LearnableFourier::group_axes, "group_axes", 1, between(1, 4), "axes of a group"),
      real(&LearnableFourier::gamma, "gamma", 1, above(0),
           "1 over the standard deviation of the initial projections, in positions a radian")
          .usual({0.4, 1.0})
          .in("position")};
  Traits traits() const { return Traits().claims(content_free | length_free | bounded).axes(groups * group_axes); }

  std::size_t F;

  void prepare(const Model& m) {
    const int wide = fourier_width.value_or(std::max(2, m.D / 2 * 2));
    require(wide % 2 == 0, "fourier_width must be even, not ", wide);
    require(groups * group_axes <= 4,
            "a position has at most 4 numbers, not groups * group_axes = ", groups * group_axes);
    require(groups >= 1 && m.D % groups == 0, groups, " groups do not divide the model width ", m.D);
    F = static_cast<std::size_t>(wide);
  }
  std::vector<Weight> weights(const Model& m) const {
    const auto wide = static_cast<Index>(F);
    const double first = 1 / std::sqrt(static_cast<double>(F)), second = 1 / std::sqrt(hidden);
    return {normal("projection", {wide / 2, group_axes}, 1 / gamma, "Wr: radians a position along each axis"),
            uniform("w1", {hidden, wide}, -first, first, "from the features to the hidden channels"),
            constant("b1", {hidden}, 0, "bias of the hidden channels"),
            uniform("w2", {m.D / groups, hidden}, -second, second, "from the hidden channels to the code"),
            constant("b2", {m.D / groups}, 0, "bias of the code")};
  }

  template <class S>
  void encode(Point p, Row<S> row, Weights<const S> w) const {
    const std::size_t wide = row.size() / static_cast<std::size_t>(groups);
    for (int g = 0; g < groups; ++g)
      encode_group<S>(p, g * group_axes, row.subspan(static_cast<std::size_t>(g) * wide, wide), w);
  }

 private:
  template <class S>
  void encode_group(Point p, int first_axis, Row<S> row, Weights<const S> w) const {
    const double factor = 1 / std::sqrt(static_cast<double>(F));
    std::vector<Exact<S>> features(F), active(static_cast<std::size_t>(hidden));
    const auto angle = [&](std::size_t i) {
      Exact<S> sum = 0;
      for (int a = 0; a < group_axes; ++a) sum += Exact<S>(w[0](static_cast<Index>(i), a)) * p[first_axis + a];
      return sum;
    };
    for_angles<S>(F / 2, angle, [&](std::size_t i, const Exact<S>& sine, const Exact<S>& cosine) {
      features[i] = factor * cosine;
      features[F / 2 + i] = factor * sine;
    });
    for (std::size_t n = 0; n < active.size(); ++n)
      active[n] = gelu(dot(w[1].row(static_cast<Index>(n)), features) + Exact<S>(w[2](static_cast<Index>(n))));
    for (std::size_t c = 0; c < row.size(); ++c)
      row[c] = static_cast<S>(dot(w[3].row(static_cast<Index>(c)), active) + Exact<S>(w[4](static_cast<Index>(c))));
  }

  // The exact one, with the normal distribution's integral.
  template <class X>
  static X gelu(const X& x) {
    return 0.5 * x * (1 + erf(x * (1 / std::numbers::sqrt2)));
  }
};
POSLAB_SCHEME(LearnableFourier)
