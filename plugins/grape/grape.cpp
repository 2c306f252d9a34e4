// SPDX-License-Identifier: Apache-2.0
// GRAPE, multiplicative: a position acts on queries and keys as the exponential of a skew matrix. Either the planes of
// RoPE, with learned frequencies, in an orthogonal basis that is learned, too; or one generator of rank 2.
// Dimension letters: H heads, K head width, m a plane.
#include <poslab/scheme.hpp>
#include <poslab/sdk/angles.hpp>

#include "rank_two.hpp"
using namespace poslab;

struct Grape {
  static constexpr Card card{
      .id = "grape",
      .title = "Group representational position encoding",
      .version = "1.0",
      .paper = "Zhang et al. 2025, arXiv:2512.07805",
      .summary =
          "Rotations by the exponential of a learned skew matrix; RoPE in a learned basis, at first RoPE itself.",
      .formula =
          "x -> exp(p L) x, L = E (sum_m w_m (planes m)) E^T with w_m = base^(-2m/K) + f_m, or L = a b^T - b a^T",
      .used_in = "",
      .real_positions = true,
      .family = Family::rotary};
  enum class Form { commuting, rank_two };
  static constexpr const char* forms[] = {"commuting", "rank-2"};
  Form form;
  double base;
  Pairing style;
  int turns;
  bool separate_heads;
  static constexpr std::tuple params{
      choice(&Grape::form, "form", forms, "planes of a learned basis, or the one plane of two learned vectors"),
      real(&Grape::base, "base", 1e4, above(0), "of the frequencies at the start"),
      choice(&Grape::style, "style", pairings, "which two channels make a plane, before the basis"),
      integer(
          &Grape::turns, "turns", 2, between(0, 64),
          "rotations of rank 2 that make the basis of a head; 0: the channels are the basis, as in the authors' code"),
      flag(&Grape::separate_heads, "separate_heads", false, "every head has frequencies of its own")};
  static constexpr Traits traits = Traits().claims(isometry | relative | content_free | length_free | bounded);

  std::vector<double> frequency;  // at the start [K / 2]

  void prepare(const Model& m) {
    require(m.K % 2 == 0, "planes are pairs of channels: grape needs an even head width, not ", m.K);
    for (int i = 0; i < m.K / 2; ++i) frequency.push_back(std::pow(base, -2.0 * i / m.K));
  }

  std::vector<Weight> weights(const Model& m) const {
    const double deviation = 1 / std::sqrt(m.K);
    if (form == Form::rank_two)
      return {normal("a", {m.H, 1, m.K}, deviation, "a head's plane is that of a and b, its speed their area"),
              normal("b", {m.H, 1, m.K}, deviation, "turned towards a")};
    std::vector<Weight> list{constant("shift", {separate_heads ? m.H : 1, m.K / 2}, 0,
                                      "f: what training adds to RoPE's frequency of a plane")};
    if (turns == 0) return list;
    list.push_back(normal("a", {m.H, turns, m.K}, deviation, "the basis is turned in the planes of a and b"));
    list.push_back(constant("b", {m.H, turns, m.K}, 0, "by their area; at 0 not at all"));
    return list;
  }

  template <class S>
  void transform(int head, Point p, Row<S> row, Weights<const S> w) const {
    act(head, p, row, w);
  }
  // The transpose is the action of -p.
  template <class S>
  void transform_gradient(int head, Point p, Row<S> gradient, Weights<const S> w) const {
    act(head, -p, gradient, w);
  }

 private:
  template <class S>
  void act(int head, double p, Row<S> row, Weights<const S> w) const {
    std::vector<Exact<S>> x(row.begin(), row.end());
    if (form == Form::rank_two) {
      rank_two::turn(x, w[0].row(head, 0), w[1].row(head, 0), Exact<S>(p));
    } else {
      for (int r = 0; r < turns; ++r) rank_two::turn(x, w[1].row(head, r), w[2].row(head, r), Exact<S>(-1));
      rotate_planes(x, separate_heads ? head : 0, p, w[0]);
      for (int r = turns; r-- > 0;) rank_two::turn(x, w[1].row(head, r), w[2].row(head, r), Exact<S>(1));
    }
    for (std::size_t k = 0; k < row.size(); ++k) row[k] = S(x[k]);
  }

  template <class S>
  void rotate_planes(std::vector<Exact<S>>& x, int set, double p, const Tensor<const S>& shift) const {
    const std::size_t P = frequency.size();
    const auto angle = [&](std::size_t m) {
      return Exact<S>(p * (frequency[m] + Exact<S>(shift(set, static_cast<Index>(m)))));
    };
    for_angles<S>(P, angle, [&](std::size_t m, const Exact<S>& sine, const Exact<S>& cosine) {
      const bool halves = style == Pairing::half_split;
      Exact<S>&a = x[halves ? m : 2 * m], &b = x[halves ? m + P : 2 * m + 1];
      const Exact<S> before = a;
      a = before * cosine - b * sine;
      b = b * cosine + before * sine;
    });
  }
};
POSLAB_SCHEME(Grape)
