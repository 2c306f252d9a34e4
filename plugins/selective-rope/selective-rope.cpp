// SPDX-License-Identifier: Apache-2.0
// Selective RoPE: queries and keys are rotated as in RoPE, but every token says by how much; the angle is the sum of what the
// tokens so far have said.
// Dimension letters: D model width, H heads, K head width, P = K / 2 planes, Nk keys.
#include <utility>

#include <poslab/scheme.hpp>

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
      real(&SelectiveRope::theta, "theta", 500000, at_least(1), "base of the temperatures of the planes"),
      real(&SelectiveRope::temperature_max, "temperature_max", 1, above(0), "temperature of the first plane"),
      integer(&SelectiveRope::rank, "rank", 16, between(1, 1 << 16), "width of the projection in the middle"),
      integer(&SelectiveRope::convolution, "convolution", 4, between(0, 1 << 10),
              "taps of the causal convolution of phi; 0: none"),
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
    const std::vector<S> phi = phases<S>(named(w), tile.layer_input(), H, epsilon);
    const std::size_t K = 2 * temperature.size();
    std::vector<S> query(K), keys(static_cast<std::size_t>(Nk) * K);
    for (Index h = 0; h < H; ++h) {
      const std::vector<Sum<S>> angle = angles(phi, Nk, h, H);
      for (Index j = 0; j < Nk; ++j)
        rotate_row<S>(tile.key.row(h, j), angle, j + 1, keys.data() + j * static_cast<Index>(K));
      for (Index i = 0; i < tile.query_positions.size(); ++i) {
        rotate_row<S>(tile.query.row(h, i), angle, keys_seen(tile, i), query.data());
        for (Index j = 0; j < Nk; ++j)
          tile.logits(h, i, j) = S(tile.scale) * dot(query, Row<const S>(keys.data() + j * static_cast<Index>(K), K));
      }
    }
  }

 private:
  // The declared weights by name.
  template <class S>
  PhaseWeights<S> named(Weights<const S> w) const {
    std::size_t next = 2;
    PhaseWeights<S> result{w[0], w[1], {}, {}, {}};
    if (convolution > 0) result.taps = w[next++];
    if (gate) result.gate = w[next], result.gate_bias = w[next + 1];
    return result;
  }

  // The angle of every plane after the first 0, 1, ... tokens: [Nk + 1, P].
  template <class S>
  std::vector<Sum<S>> angles(const std::vector<S>& phi, Index Nk, Index h, Index H) const {
    const std::size_t P = temperature.size();
    std::vector<Sum<S>> sums(P, Sum<S>(0)), result(P, Sum<S>(0));
    for (Index t = 0; t < Nk; ++t)
      for (std::size_t m = 0; m < P; ++m) {
        sums[m] += phi[static_cast<std::size_t>(t * H + h) * P + m];
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
};
POSLAB_SCHEME(SelectiveRope)
