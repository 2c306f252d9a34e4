// SPDX-License-Identifier: Apache-2.0
// GRAPE, multiplicative: a position acts on queries and keys as the exponential of a skew matrix. Either the planes of
// RoPE, with learned frequencies, in an orthogonal basis that is learned, too; or one generator of rank 2.
// Dimension letters: H heads, K head width, m a plane.
#include <algorithm>
#include <concepts>
#include <utility>

#include <poslab/scheme.hpp>
#include <poslab/sdk/angles.hpp>

#include "rank_two.hpp"
using namespace poslab;

struct Grape {
  static constexpr Card card{
      .id = "grape",
      .title = "Group representational position encoding",
      .version = "2.0",
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
      real(&Grape::base, "base", 1e4, above(0), "of the frequencies at the start").as(Role::base).usual(usual_bases),
      choice(&Grape::style, "style", pairings, "which two channels make a plane, before the basis").as(Role::pairing),
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
    std::vector<Weight> all = weights_of_a_layer(m);
    for (Weight& weight : all) weight = weight.each_layer();  // a part of each attention in the authors' code
    return all;
  }

  template <class S>
  void transform(int head, Point p, Row<S> row, Weights<const S> w) const {
    const std::size_t K = row.size();
    std::vector<Exact<S>> numbers(2 * K);
    const Row<Exact<S>> all(numbers), x = all.first(K), angles = all.last(K);
    std::copy(row.begin(), row.end(), x.begin());
    if (form == Form::rank_two) {
      turn<S>(x, 0, head, p, w);
    } else {
      for (int r = 0; r < turns; ++r) turn<S>(x, r, head, -1, w);
      find_angles<S>(angles, head, p, w);
      rotate_planes(x, angles, 1);
      for (int r = turns; r-- > 0;) turn<S>(x, r, head, 1, w);
    }
    for (std::size_t k = 0; k < K; ++k) row[k] = S(x[k]);
  }

  template <std::floating_point S>
  void transform_gradient(int head, Point p, Row<const S> x, Row<S> gradient, Weights<const S> w, Weights<S> dw) const {
    const std::size_t K = x.size();
    const int steps = form == Form::rank_two ? 1 : 2 * turns + 1;
    std::vector<double> numbers((static_cast<std::size_t>(steps) + 2) * K);
    const auto row_of = [&](int n) { return Row<double>(numbers).subspan(static_cast<std::size_t>(n) * K, K); };
    const Row<double> g = row_of(steps), angles = row_of(steps + 1);  // before them x as each step finds it
    std::copy(gradient.begin(), gradient.end(), g.begin());
    std::copy(x.begin(), x.end(), row_of(0).begin());
    if (form == Form::rank_two) {
      pass_back<S>(row_of(0), g, 0, head, p, w, dw);
    } else {
      find_angles<S>(angles, head, p, w);
      // Step n < turns is the turn n of E^T, then come the planes, then the turns of E in the other order.
      const auto turn_of = [this](int n) { return n < turns ? n : 2 * turns - n; };
      for (int n = 0; n + 1 < steps; ++n) {
        std::ranges::copy(row_of(n), row_of(n + 1).begin());
        if (n == turns)
          rotate_planes(row_of(n + 1), angles, 1);
        else
          turn<S>(row_of(n + 1), turn_of(n), head, n < turns ? -1 : 1, w);
      }
      for (int n = steps; n-- > 0;)
        if (n == turns)
          planes_pass_back<S>(row_of(n), g, angles, head, p, dw);
        else
          pass_back<S>(row_of(n), g, turn_of(n), head, n < turns ? -1 : 1, w, dw);
    }
    for (std::size_t k = 0; k < K; ++k) gradient[k] = S(g[k]);
  }

 private:
  std::vector<Weight> weights_of_a_layer(const Model& m) const {
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
  // The arrays a and b: `shift` comes before them where there are planes.
  std::size_t first_vector() const { return form == Form::rank_two ? 0 : 1; }
  int set_of(int head) const { return separate_heads ? head : 0; }

  // exp(t L(a_r, b_r)) on x, for numbers and on the tape.
  template <class S>
  void turn(Row<Exact<S>> x, int r, int head, double t, Weights<const S> w) const {
    const auto a = w[first_vector()].row(head, r), b = w[first_vector() + 1].row(head, r);
    rank_two::Turn(a, b, Exact<S>(t)).apply(x);
  }
  template <class S>
  void pass_back(Row<const double> x, Row<double> g, int r, int head, double t, Weights<const S> w,
                 Weights<S> dw) const {
    const std::size_t at = first_vector();
    const auto a = w[at].row(head, r), b = w[at + 1].row(head, r);
    rank_two::Turn(a, b, t).pass_back(x, g, dw[at].row(head, r), dw[at + 1].row(head, r));
  }

  // [K]: the cosines of all planes, then their sines.
  template <class S>
  void find_angles(Row<Exact<S>> angles, int head, double p, Weights<const S> w) const {
    const auto angle = [&](std::size_t m) {
      return Exact<S>(p * (frequency[m] + Exact<S>(w[0](set_of(head), static_cast<Index>(m)))));
    };
    const std::size_t P = frequency.size();
    for_angles<S>(P, angle, [&](std::size_t m, const Exact<S>& sine, const Exact<S>& cosine) {
      angles[m] = cosine, angles[m + P] = sine;
    });
  }

  // The two channels of plane m.
  std::pair<std::size_t, std::size_t> channels(std::size_t m) const {
    return style == Pairing::half_split ? std::pair(m, m + frequency.size()) : std::pair(2 * m, 2 * m + 1);
  }
  // By the angles, or back by them where `direction` is -1.
  template <class T>
  void rotate_planes(Row<T> x, Row<T> angles, int direction) const {
    const std::size_t P = frequency.size();
    for (std::size_t m = 0; m < P; ++m) {
      const auto [one, other] = channels(m);
      const T a = x[one], b = x[other], cosine = angles[m], sine = direction * angles[m + P];
      x[one] = a * cosine - b * sine;
      x[other] = b * cosine + a * sine;
    }
  }
  // As Turn::pass_back; the angle of plane m is p (w_m + f_m).
  template <class S>
  void planes_pass_back(Row<const double> x, Row<double> g, Row<double> angles, int head, double p,
                        Weights<S> dw) const {
    rotate_planes(g, angles, -1);
    for (std::size_t m = 0; m < frequency.size(); ++m) {
      const auto [one, other] = channels(m);
      dw[0](set_of(head), static_cast<Index>(m)) += S(p * (x[one] * g[other] - x[other] * g[one]));
    }
  }
};
POSLAB_SCHEME(Grape)
