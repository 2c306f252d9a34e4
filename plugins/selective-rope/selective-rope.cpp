// SPDX-License-Identifier: Apache-2.0
// Selective RoPE: queries and keys are rotated as in RoPE, but every token says by how much; the angle is the sum of
// what the tokens so far have said. Dimension letters: D model width, H heads, K head width, P = K / 2 planes, Nk keys.
#include <algorithm>
#include <utility>
#include <vector>

#include <poslab/scheme.hpp>
#include <poslab/sdk/running_sum.hpp>

#include "phases.hpp"

using namespace poslab;

struct SelectiveRope {
  static constexpr Card card{
      .id = "selective-rope",
      .title = "Selective RoPE",
      .version = "1.0",
      .paper = "Movahedi et al. 2025, arXiv:2511.17388",
      .summary = "Planes of queries and keys rotate by the sum of angles that every token so far has chosen.",
      .formula =
          "logit = (R_i q_i) . (R_j k_j) / sqrt(K), R_t rotates plane m by temperature_max theta^(-2 m / K) sum over "
          "l <= t of phi_l",
      .used_in = "",
      .family = Family::contextual};
  double theta, temperature_max;
  int rank, convolution;
  bool gate;
  double init_std, epsilon;
  static constexpr std::tuple params{
      real(&SelectiveRope::theta, "theta", 500000, at_least(1), "base of the temperatures of the planes")
          .as(Role::base)
          .usual(usual_bases),
      real(&SelectiveRope::temperature_max, "temperature_max", 1, above(0), "temperature of the first plane"),
      integer(&SelectiveRope::rank, "rank", 16, between(1, 1 << 16), "width of the projection in the middle"),
      integer(&SelectiveRope::convolution, "convolution", 4, between(0, 1 << 10),
              "taps of the causal convolution of phi; 0: none")
          .usual({3, 0, 4, 2}),
      flag(&SelectiveRope::gate, "gate", false, "phi is multiplied by a gate per head"),
      real(&SelectiveRope::init_std, "init_std", 0.02, at_least(0), "standard deviation of the initial projections"),
      real(&SelectiveRope::epsilon, "epsilon", 1e-6, above(0),
           "added to the squared length by whose root the input is divided")};
  static constexpr Traits traits = Traits().claims(length_free | bounded).mask(Mask::causal_only).score_writes_logits();
  std::vector<double> temperature;  // [P]

  void prepare(const Model& m) {
    require(m.K % 2 == 0, "selective-rope rotates pairs of channels: it needs an even head width, not ", m.K);
    for (int plane = 0; plane < m.K / 2; ++plane)
      temperature.push_back(temperature_max * std::pow(theta, -2.0 * plane / m.K));
  }
  std::vector<Weight> weights(const Model& m) const {
    const int HP = m.H * (m.K / 2);
    std::vector<Weight> result{normal("down", {rank, m.D}, init_std, "from the layer's input").each_layer(),
                               normal("up", {HP, rank}, init_std, "to phi of all heads and planes").each_layer()};
    const double bound = 1 / std::sqrt(convolution > 0 ? convolution : 1);
    if (convolution > 0)
      result.push_back(
          uniform("taps", {HP, convolution}, -bound, bound, "the last is for the token itself").each_layer());
    if (gate) {
      result.push_back(normal("gate", {m.H, m.D}, init_std, "from the layer's input to the gate").each_layer());
      result.push_back(constant("gate_bias", {m.H}, 0, "at 0 the gate begins half open").each_layer());
    }
    return result;
  }

  template <class S>
  void score(const ScoreTile<S>& tile, Weights<const S> w) const {
    const Index H = tile.query.shape(0), Nk = tile.key_positions.size();
    const Phases<S> phi(named(w), tile.layer_input(), H, epsilon);
    const std::size_t K = 2 * temperature.size();
    std::vector<S> query(K), keys(static_cast<std::size_t>(Nk) * K);
    for (Index h = 0; h < H; ++h) {
      const std::vector<Sum<S>> angle = angles(phi, Nk, h);
      for (Index j = 0; j < Nk; ++j)
        rotate_row<S>(tile.key.row(h, j), angle, j + 1, keys.data() + j * static_cast<Index>(K));
      for (Index i = 0; i < tile.query_positions.size(); ++i) {
        rotate_row<S>(tile.query.row(h, i), angle, keys_seen(tile, i), query.data());
        for (Index j = 0; j < Nk; ++j)
          tile.logits(h, i, j) = S(tile.scale) * dot(query, Row<const S>(keys.data() + j * static_cast<Index>(K), K));
      }
    }
  }

  template <class S>
  void score_gradient(const ScoreTile<S>& tile, Weights<const S> w, const ScoreGradient<S>& gradient,
                      Weights<S> dw) const {
    const Index H = tile.query.shape(0), Nk = tile.key_positions.size(), P = static_cast<Index>(temperature.size());
    Phases<S> phi(named(w), tile.layer_input(), H, epsilon);
    const auto K = static_cast<std::size_t>(2 * P);
    std::vector<S> query(K), by_query(K), keys(static_cast<std::size_t>(Nk) * K), by_phi(keys.size() / 2 * H);
    const auto key = [K](std::vector<S>& of_all, Index j) { return Row<S>(of_all).subspan(j * K, K); };
    for (Index h = 0; h < H; ++h) {
      const std::vector<double> angle = angles(phi, Nk, h);
      std::vector<double> by_angle(angle.size());
      std::vector<S> by_keys(keys.size());
      for (Index j = 0; j < Nk; ++j) rotate_row<S>(tile.key.row(h, j), angle, j + 1, key(keys, j).data());
      for (Index i = 0; i < tile.query_positions.size(); ++i) {
        rotate_row<S>(tile.query.row(h, i), angle, keys_seen(tile, i), query.data());
        std::fill(by_query.begin(), by_query.end(), S(0));
        for (Index j = 0; j < Nk; ++j)
          add_dot_gradient(S(S(tile.scale) * gradient.logits(h, i, j)), query, key(keys, j), by_query, key(by_keys, j));
        rotate_back<S>(query, by_query, angle, keys_seen(tile, i), gradient.query.row(h, i), by_angle);
      }
      for (Index j = 0; j < Nk; ++j)
        rotate_back<S>(key(keys, j), key(by_keys, j), angle, j + 1, gradient.key.row(h, j), by_angle);
      for (Index m = 0; m < P; ++m) {
        double later = 0;  // a token rotates all that come after it
        for (Index t = Nk; t-- > 0;) {
          later += by_angle[static_cast<std::size_t>((t + 1) * P + m)];
          by_phi[static_cast<std::size_t>((t * H + h) * P + m)] = S(temperature[static_cast<std::size_t>(m)] * later);
        }
      }
    }
    phi.pass_on(std::move(by_phi), named(w), named(dw), gradient.layer_input);
  }

 private:
  // The declared weights, or their gradients, by name.
  template <class S>
  PhaseWeights<S> named(Weights<S> w) const {
    std::size_t next = 2;
    PhaseWeights<S> result{w[0], w[1], {}, {}, {}};
    if (convolution > 0) result.taps = w[next++];
    if (gate) result.gate = w[next], result.gate_bias = w[next + 1];
    return result;
  }

  // The angle of every plane after the first 0, 1, ... tokens: [Nk + 1, P].
  template <class S>
  std::vector<Sum<S>> angles(const Phases<S>& phi, Index Nk, Index h) const {
    const std::size_t P = temperature.size();
    std::vector<Sum<S>> sums(P, Sum<S>(0)), result(P, Sum<S>(0));
    result.reserve(static_cast<std::size_t>(Nk + 1) * P);
    for (Index t = 0; t < Nk; ++t)
      for (std::size_t m = 0; m < P; ++m) {
        sums[m] += phi(t, static_cast<Index>(static_cast<std::size_t>(h) * P + m));
        result.push_back(temperature[m] * sums[m]);
      }
    return result;
  }

  template <class S>
  static std::pair<S, S> cosine_and_sine(const Sum<S>& angle) {
    if constexpr (std::is_arithmetic_v<S>) {
      const SineCosine at = sine_and_cosine(angle);
      return {S(at.cosine), S(at.sine)};
    } else {
      return {cos(angle), sin(angle)};
    }
  }

  // Rotates channels m and m + P by the angle after `tokens` tokens.
  template <class S, class Channels>
  void rotate_row(const Channels& x, const std::vector<Sum<S>>& angle, Index tokens, S* out) const {
    const std::size_t P = temperature.size();
    for (std::size_t m = 0; m < P; ++m) {
      const Sum<S>& by = angle[static_cast<std::size_t>(tokens) * P + m];
      const auto [c, s] = cosine_and_sine<S>(by);
      out[m] = x[m] * c - x[m + P] * s;
      out[m + P] = x[m] * s + x[m + P] * c;
    }
  }

  // With out = R x: by_x += R^T by_out, and by_angle += by_out . dR/dangle x.
  template <class S>
  void rotate_back(Row<const S> out, Row<const S> by_out, const std::vector<double>& angle, Index tokens, Row<S> by_x,
                   std::vector<double>& by_angle) const {
    const std::size_t P = temperature.size();
    for (std::size_t m = 0; m < P; ++m) {
      const std::size_t at = static_cast<std::size_t>(tokens) * P + m;
      const auto [c, s] = cosine_and_sine<S>(angle[at]);
      by_x[m] += by_out[m] * c + by_out[m + P] * s;
      by_x[m + P] += by_out[m + P] * c - by_out[m] * s;
      by_angle[at] += by_out[m + P] * out[m] - by_out[m] * out[m + P];
    }
  }
};
POSLAB_SCHEME(SelectiveRope)
