// SPDX-License-Identifier: Apache-2.0
// PoPE: every channel is a number in polar form; its content is the length, its position the angle.
// Dimension letters: Nq queries, Nk keys, N either, H heads, K head width.
#include <poslab/scheme.hpp>
#include <poslab/sdk/activation.hpp>

using namespace poslab;

struct PoPE {
  static constexpr Card card{
      .id = "pope",
      .title = "Polar coordinate position embedding",
      .version = "1.0",
      .paper = "Gopalakrishnan et al. 2025, arXiv:2509.10534",
      .summary = "Channels become lengths by softplus, positions their angles, so that what and where do not mix.",
      .formula = "logit = sum_c softplus(q_c) softplus(k_c) cos((i - j) w_c - delta_c) / sqrt(K), w_c = base^(-c/K)",
      .used_in = "x-transformers",
      .real_positions = real_positions,
      .family = Family::rotary};
  double base;
  bool bias_uniform_init;
  static constexpr std::tuple params{
      real(&PoPE::base, "base", 1e4, above(0), "the longest wavelength over 2 pi, about")
          .as(Role::base)
          .usual(usual_bases),
      flag(&PoPE::bias_uniform_init, "bias_uniform_init", false, "delta starts uniform in [-2 pi, 0); else at 0")};
  std::vector<double> inverse_frequency;  // [K]
  Traits traits() const {
    return Traits().claims(relative | length_free | bounded).score_writes_logits().inverse_frequency(inverse_frequency);
  }

  void prepare(const Model& m) {
    for (int c = 0; c < m.K; ++c) inverse_frequency.push_back(std::pow(base, -static_cast<double>(c) / m.K));
  }
  std::vector<Weight> weights(const Model& m) const {
    const char* const sentence = "delta: the angle at which a key is met best, held within [-2 pi, 0]";
    return {bias_uniform_init ? uniform("bias", {m.H, m.K}, -2 * std::numbers::pi, 0, sentence)
                              : constant("bias", {m.H, m.K}, 0, sentence)};
  }

  template <class S>
  void score(const ScoreTile<S>& t, Weights<const S> w) const {
    const Polar<S> q(t.query, t.query_positions, inverse_frequency, nullptr),
        k(t.key, t.key_positions, inverse_frequency, &w[0]);
    for (Index h = 0; h < t.logits.shape(0); ++h)
      for (Index i = 0; i < t.query_positions.size(); ++i) {
        const Row<const S> query = q.row(h, i);
        for (Index j = 0; j < t.key_positions.size(); ++j) t.logits(h, i, j) = S(t.scale) * dot(query, k.row(h, j));
      }
  }

  template <class S>
  void score_gradient(const ScoreTile<S>& t, Weights<const S> w, const ScoreGradient<S>& gradient,
                      Weights<S> dw) const {
    const Polar<S> q(t.query, t.query_positions, inverse_frequency, nullptr),
        k(t.key, t.key_positions, inverse_frequency, &w[0]);
    auto by_q = q.zeros(), by_k = k.zeros();
    for (Index h = 0; h < gradient.logits.shape(0); ++h)
      for (Index i = 0; i < t.query_positions.size(); ++i)
        for (Index j = 0; j < t.key_positions.size(); ++j)
          if (const S by_product = S(t.scale) * gradient.logits(h, i, j); by_product != 0)  // masked: it is 0
            add_dot_gradient(by_product, q.row(h, i), k.row(h, j), q.row_of(by_q, h, i), k.row_of(by_k, h, j));
    q.pass_on(by_q, t.query, gradient.query, [](Index, Index, S) {});
    k.pass_on(by_k, t.key, gradient.key, [&](Index h, Index c, S by_angle) {
      const S delta = w[0](h, c);
      if (clamped(delta) == delta) dw[0](h, c) += by_angle;
    });
  }

 private:
  // [H, N, 2K]: softplus(x) cos a, then softplus(x) sin a, of every row.
  template <class S>
  class Polar {
   public:
    Polar(const Tensor<const S>& x, const Points& positions, const std::vector<double>& frequency,
          const Tensor<const S>* delta)
        : N_(x.shape(1)),
          K_(frequency.size()),
          lengths_(static_cast<std::size_t>(x.size())),
          rows_(2 * lengths_.size()) {
      const Index H = x.shape(0);
      std::vector<double> cosines(K_), sines(K_);
      std::vector<SineCosineOf<S>> phases(static_cast<std::size_t>(H) * K_, {S(0), S(1)});
      if (delta)
        for (std::size_t p = 0; p < phases.size(); ++p)
          phases[p] = sine_cosine(clamped((*delta)(static_cast<Index>(p / K_), static_cast<Index>(p % K_))));
      for (Index n = 0; n < N_; ++n) {
        sines_and_cosines(positions[n], frequency, sines, cosines);
        for (Index h = 0; h < H; ++h) {
          const SineCosineOf<S>* const phase = phases.data() + static_cast<std::size_t>(h) * K_;
          S* const length = lengths_.data() + first(h, n);
          S* const out = rows_.data() + 2 * first(h, n);
          for (std::size_t c = 0; c < K_; ++c) {  // the sum of both angles
            length[c] = softplus(x(h, n, c));
            out[c] = length[c] * (S(cosines[c]) * phase[c].cosine - S(sines[c]) * phase[c].sine);
            out[K_ + c] = length[c] * (S(sines[c]) * phase[c].cosine + S(cosines[c]) * phase[c].sine);
          }
        }
      }
    }
    Row<const S> row(Index h, Index n) const { return {rows_.data() + 2 * first(h, n), 2 * K_}; }

    /// For the gradient by the rows.
    std::vector<S> zeros() const { return std::vector<S>(rows_.size(), S(0)); }
    Row<S> row_of(std::vector<S>& by_rows, Index h, Index n) const {
      return {by_rows.data() + 2 * first(h, n), 2 * K_};
    }

    /// Adds the gradient by x, and calls by_angle(h, c, gradient by the angle of channel c) for every row.
    template <class ByAngle>
    void pass_on(std::vector<S>& by_rows, const Tensor<const S>& x, const Tensor<S>& by_x, ByAngle by_angle) const {
      for (Index h = 0; h < x.shape(0); ++h)
        for (Index n = 0; n < N_; ++n) {
          const Row<const S> out = row(h, n), by = row_of(by_rows, h, n);
          for (std::size_t c = 0; c < K_; ++c) {
            const auto channel = static_cast<Index>(c);
            if (const S length = lengths_[first(h, n) + c]; length > 0)  // softplus' = sigmoid
              by_x(h, n, channel) += (by[c] * out[c] + by[K_ + c] * out[K_ + c]) / length * sigmoid(x(h, n, channel));
            by_angle(h, channel, by[K_ + c] * out[c] - by[c] * out[K_ + c]);
          }
        }
    }

   private:
    std::size_t first(Index h, Index n) const { return static_cast<std::size_t>(h * N_ + n) * K_; }

    Index N_;
    std::size_t K_;
    std::vector<S> lengths_, rows_;  // [H, N, K], [H, N, 2K]
  };

  template <class S>
  struct SineCosineOf {
    S sine, cosine;
  };
  template <class S>
  static SineCosineOf<S> sine_cosine(const S& angle) {
    if constexpr (std::is_arithmetic_v<S>) {
      const SineCosine both = sine_and_cosine(static_cast<double>(angle));
      return {static_cast<S>(both.sine), static_cast<S>(both.cosine)};
    } else {
      return {sin(angle), cos(angle)};
    }
  }
  // Within [-2 pi, 0]; beyond, no gradient comes back.
  template <class S>
  static S clamped(const S& x) {
    if (value_of(x) > 0) return S(0);
    return value_of(x) < -2 * std::numbers::pi ? S(-2 * std::numbers::pi) : x;
  }
};
POSLAB_SCHEME(PoPE)
